-- Whole lists are read row by row from their cursor.
drop function fetch_joined;
