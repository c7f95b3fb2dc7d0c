"""What tests of all kinds share: games with their options, tables of rows, the command line, records, servers."""
