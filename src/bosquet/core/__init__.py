"""Code that all games share: game protocols and specs, states, random numbers, views, records, errors."""
