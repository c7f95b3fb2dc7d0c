"""What callers and files give: decoded, checked, and refused with the place and the remedy."""
