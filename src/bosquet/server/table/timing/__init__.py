"""The time of a table: clocks at one sitting, days at slow tables."""
