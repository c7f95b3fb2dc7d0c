"""Who a browser is: cookies, devices, transfers to other devices, who is here now, and whom a guest has played with."""
