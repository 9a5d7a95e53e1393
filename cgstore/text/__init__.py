"""Reading a string: node keys and normal forms, numbers, times, kinds of columns, how alike two strings are."""
