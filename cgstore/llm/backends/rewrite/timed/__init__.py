"""Questions about facts in time whose parts stand in any order: what is asked, limits of time, orders, and the fact.

They are read last, after the ways that know whole wordings. Every part is cut out of the text once it is read; the
words that are left must say one relation (`facts`), so that a question of which anything is left over has no program.
"""
