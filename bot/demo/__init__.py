"""`headgate demo`, which starts Headgate and localhub as processes of their own."""
