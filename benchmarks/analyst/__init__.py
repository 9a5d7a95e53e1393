"""Questions of an analyst over three messy related tables, with gold answers computed by pandas."""
