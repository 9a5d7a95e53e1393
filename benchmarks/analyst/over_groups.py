"""Questions about groups, joins, several columns, shares and medians."""

from typing import Any

from benchmarks.analyst.gold import above, ask, largest, managers, offering
from benchmarks.analyst.tables import orders, sales, shops, sold, staff

# Totals by group


@ask("What is the total amount of the orders of each shop?", "orders")
def _() -> Any:
    return orders().groupby("Shop")["amount"].sum()


@ask("How many orders came in through each channel?", "orders")
def _() -> Any:
    return orders().groupby("channel").size()


@ask("How many people work or worked in each role?", "staff")
def _() -> Any:
    return staff().groupby("Role").size()


@ask("What is the average salary of each role?", "staff")
def _() -> Any:
    return staff().groupby("Role")["salary"].mean()


@ask("What is the largest order amount for each product?", "orders")
def _() -> Any:
    return orders().groupby("Product")["amount"].max()


@ask("How many shops are there in each country?", "shops")
def _() -> Any:
    return shops().groupby("Country").size()


# The greatest and the least group


@ask("Which customer has placed the most orders?", "orders")
def _() -> Any:
    return largest(orders().groupby("Customer").size())


@ask("Which shop has the highest total order amount?", "orders")
def _() -> Any:
    return largest(orders().groupby("Shop")["amount"].sum())


@ask("Which product has brought in the least money in total?", "orders")
def _() -> Any:
    return largest(-orders().groupby("Product")["amount"].sum())


@ask("Which city has the most shops?", "shops")
def _() -> Any:
    return largest(shops().groupby("City").size())


# Top n


@ask("Which three customers spent the most in total?", "orders")
def _() -> Any:
    return list(orders().groupby("Customer")["amount"].sum().nlargest(3).index)


@ask("What are the five largest orders by amount?", "orders")
def _() -> Any:
    return orders().nlargest(5, "amount")["Order"]


@ask("Which two shops have the largest floor area?", "shops")
def _() -> Any:
    return shops().nlargest(2, "area")["Shop"]


# Groups that compare


@ask("Which customers have placed more than eight orders?", "orders")
def _() -> Any:
    return above(orders().groupby("Customer").size(), 8)


@ask("Which cities have at least two shops?", "shops")
def _() -> Any:
    return above(shops().groupby("City").size(), 1)


@ask("Which products sold for more than €3,000 in total?", "orders")
def _() -> Any:
    return above(orders().groupby("Product")["amount"].sum(), 3000)


@ask("Which shops have a mean order amount above €300?", "orders")
def _() -> Any:
    return above(orders().groupby("Shop")["amount"].mean(), 300)


# Joins over two and three tables


@ask("In which city is the shop that took order O-1063?", "orders", "shops")
def _() -> Any:
    return sales().query("Order == 'O-1063'")["City"]


@ask("What is the total amount of the orders taken by shops in Spain?", "orders", "shops")
def _() -> Any:
    return sales().query("Country == 'Spain'")["amount"].sum()


@ask("Which orders were sold by somebody named João Costa?", "orders", "staff")
def _() -> Any:
    return sold().query("Name == 'João Costa'")["Order"]


@ask("What is the total order amount by country of the shop?", "orders", "shops")
def _() -> Any:
    return sales().groupby("Country")["amount"].sum()


@ask("What is the name of the manager of the Foz shop?", "shops", "staff")
def _() -> Any:
    return managers().query("Shop == 'Foz'")["Name"]


@ask("Which role has sold the largest total amount?", "orders", "staff")
def _() -> Any:
    return largest(sold().groupby("Role")["amount"].sum())


@ask("For each country, how many orders of its shops were sold by a barista?", "orders", "shops", "staff")
def _() -> Any:
    return sold().query("Role == 'barista'").merge(shops()[["Shop", "Country"]], on="Shop").groupby("Country").size()


@ask("What are the names of the people who sold an order to Hotel Bellevue?", "orders", "staff")
def _() -> Any:
    return sold().query("Customer == 'Hotel Bellevue'")["Name"].unique()


@ask("Which languages does the manager of the Foz shop speak?", "shops", "staff")
def _() -> Any:
    return managers().query("Shop == 'Foz'")["languages"].explode()


@ask("What is the total amount sold by staff who speak German?", "orders", "staff")
def _() -> Any:
    return sold()[sold()["languages"].map(lambda items: "German" in items)]["amount"].sum()


@ask("Which shops in Portugal have taken an order for a Cold Brew Kit?", "orders", "shops")
def _() -> Any:
    return sales().query("Country == 'Portugal' and Product == 'Cold Brew Kit'")["Shop"].unique()


@ask("In which cities are the shops that sold to Museu do Azulejo?", "orders", "shops")
def _() -> Any:
    return sales().query("Customer == 'Museu do Azulejo'")["City"].unique()


@ask("In which country is the shop where the highest paid barista works?", "shops", "staff")
def _() -> Any:
    best = staff().query("Role == 'barista'").nlargest(1, "salary")
    return best.merge(shops(), on="Shop")["Country"]


# Several columns


@ask("Give the order number, the date and the amount of the orders of Hotel Central.", "orders")
def _() -> Any:
    return orders().query("Customer == 'Hotel Central'")[["Order", "date", "amount"]]


@ask("List the name, the role and the hire date of the staff at Chamberí.", "staff")
def _() -> Any:
    return staff().query("Shop == 'Chamberí'")[["Name", "Role", "hired"]]


@ask("Give the shop, the city and the monthly rent of the shops that do repairs.", "shops")
def _() -> Any:
    return offering("repairs")[["Shop", "City", "rent"]]


# Shares


@ask("What percentage of the orders came through the web?", "orders")
def _() -> Any:
    return 100 * (orders()["channel"] == "web").mean()


@ask("What percentage of the total order amount did Ribeira bring in?", "orders")
def _() -> Any:
    return 100 * orders().query("Shop == 'Ribeira'")["amount"].sum() / orders()["amount"].sum()


@ask("What percentage of the staff speak English?", "staff")
def _() -> Any:
    return 100 * staff()["languages"].map(lambda items: "English" in items).mean()


# Medians


@ask("What is the median order amount?", "orders")
def _() -> Any:
    return orders()["amount"].median()


@ask("What is the median salary of the baristas?", "staff")
def _() -> Any:
    return staff().query("Role == 'barista'")["salary"].median()
