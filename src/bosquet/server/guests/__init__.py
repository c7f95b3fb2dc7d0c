"""Who a browser is: cookies, devices, transfers to other devices, and the people a guest has played with."""
