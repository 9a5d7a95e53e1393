"""Questions about dates, order, text, lists, what is missing, and answers that are ties or empty."""

from typing import Any

from benchmarks.analyst.gold import ask, largest, offering
from benchmarks.analyst.tables import orders, shops, staff

# Dates


@ask("How many orders were placed in each quarter (1 to 4) of 2023?", "orders")
def _() -> Any:
    placed = orders()[orders()["date"].dt.year == 2023]
    return placed.groupby(placed["date"].dt.quarter).size()


@ask("In which month (1 to 12) of 2023 was the total order amount the highest?", "orders")
def _() -> Any:
    placed = orders()[orders()["date"].dt.year == 2023]
    return largest(placed.groupby(placed["date"].dt.month)["amount"].sum())


@ask("On which day of the week were the most orders placed?", "orders")
def _() -> Any:
    return largest(orders().groupby(orders()["date"].dt.day_name()).size())


@ask("How many orders were placed in a December, of whatever year?", "orders")
def _() -> Any:
    return (orders()["date"].dt.month == 12).sum()


@ask("Which shops opened in 2017?", "shops")
def _() -> Any:
    return shops()[shops()["opened"].dt.year == 2017]["Shop"]


@ask("Which shops opened before 2012?", "shops")
def _() -> Any:
    return shops()[shops()["opened"].dt.year < 2012]["Shop"]


@ask("How many orders were placed from 1 March 2024 to 30 April 2024?", "orders")
def _() -> Any:
    return orders()["date"].between("2024-03-01", "2024-04-30").sum()


# Durations


@ask("How many days pass on average between an order and its payment?", "orders")
def _() -> Any:
    return orders()["days"].mean()


@ask("Which orders were paid more than 40 days after they were placed?", "orders")
def _() -> Any:
    return orders().query("days > 40")["Order"]


@ask("How many days lie between the opening of Alfama and the opening of Baixa?", "shops")
def _() -> Any:
    opened = shops().set_index("Shop")["opened"]
    return (opened["Baixa"] - opened["Alfama"]).days


@ask("Of the staff who have left, who had stayed the shortest time?", "staff")
def _() -> Any:
    return staff().assign(stay=(staff()["left"] - staff()["hired"]).dt.days).nsmallest(1, "stay")["Name"]


# First, last, nth


@ask("Which was the first order placed in 2024?", "orders")
def _() -> Any:
    return orders()[orders()["date"].dt.year == 2024].nsmallest(1, "date")["Order"]


@ask("Which shop opened last?", "shops")
def _() -> Any:
    return shops().nlargest(1, "opened")["Shop"]


@ask("Who is the fifth person in the list of staff?", "staff")
def _() -> Any:
    return staff()["Name"].iloc[[4]]


@ask("What product did Café Moderno order last?", "orders")
def _() -> Any:
    return orders().query("Customer == 'Café Moderno'").nlargest(1, "date")["Product"]


# Text


@ask('Which customers have "Hotel" in their name?', "orders")
def _() -> Any:
    return sorted(name for name in orders()["Customer"].unique() if "Hotel" in name)


@ask("Which orders have a note that says something was damaged?", "orders")
def _() -> Any:
    return orders()[orders()["note"].str.contains("damaged")]["Order"]


@ask("How many orders are for a product whose name starts with House Blend?", "orders")
def _() -> Any:
    return orders()["Product"].str.startswith("House Blend").sum()


@ask('Which members of staff have a name that begins with "Ju"?', "staff")
def _() -> Any:
    return staff()[staff()["Name"].str.startswith("Ju")]["Name"]


# Numbers inside text


@ask("How many outside seats do the shops have altogether?", "shops")
def _() -> Any:
    return shops()["outside"].sum()


@ask("Which shop has the most seats inside?", "shops")
def _() -> Any:
    return shops().nlargest(1, "inside")["Shop"]


@ask("What is the average rating of the orders, out of five?", "orders")
def _() -> Any:
    return orders()["stars"].mean()


@ask("How many orders were late by more than 5 days, according to the notes?", "orders")
def _() -> Any:
    return (orders()["note"].str.extract(r"late by (\d+) days")[0].astype(float) > 5).sum()


@ask("Which shops open before 8 in the morning?", "shops")
def _() -> Any:
    return shops()[shops()["Opening hours"].str.slice(0, 5) < "08:00"]["Shop"]


@ask("Which shop pays the lowest rent per square metre?", "shops")
def _() -> Any:
    return shops().assign(each=shops()["rent"] / shops()["area"]).nsmallest(1, "each")["Shop"]


# Items of lists


@ask("Which shops offer tastings?", "shops")
def _() -> Any:
    return offering("tastings")["Shop"]


@ask("How many shops offer each service?", "shops")
def _() -> Any:
    return shops().explode("services").groupby("services").size()


@ask("Who speaks at least four languages?", "staff")
def _() -> Any:
    return staff()[staff()["languages"].map(len) >= 4]["Name"]


# Negation


@ask("Which shops have never taken an order?", "orders", "shops")
def _() -> Any:
    return shops()[~shops()["Shop"].isin(orders()["Shop"])]["Shop"]


@ask("How many members of staff have never sold an order?", "orders", "staff")
def _() -> Any:
    return (~staff()["Staff no."].isin(orders()["Sold by"])).sum()


@ask("Which shops in Lisbon have no bakery?", "shops")
def _() -> Any:
    return shops()[(shops()["City"] == "Lisbon") & ~shops()["services"].map(lambda items: "bakery" in items)]["Shop"]


@ask("How many orders have no date of payment?", "orders")
def _() -> Any:
    return orders()["paid"].isna().sum()


# Yes or no


@ask("Is there an order of more than €1,000 that has not been paid?", "orders")
def _() -> Any:
    return bool(((orders()["amount"] > 1000) & orders()["paid"].isna()).any())


@ask("Does anybody at the Bolhão shop speak English?", "staff")
def _() -> Any:
    return bool(staff().query("Shop == 'Bolhão'")["languages"].map(lambda items: "English" in items).any())


# Two compared


@ask("Which shop has the larger floor area, Sol or Belém?", "shops")
def _() -> Any:
    return shops()[shops()["Shop"].isin(["Sol", "Belém"])].nlargest(1, "area")["Shop"]


@ask("Did Baixa or Foz take more orders?", "orders")
def _() -> Any:
    return largest(orders()[orders()["Shop"].isin(["Baixa", "Foz"])].groupby("Shop").size())


@ask("How much more rent a month does Marais pay than Belleville?", "shops")
def _() -> Any:
    rent = shops().set_index("Shop")["rent"]
    return rent["Marais"] - rent["Belleville"]


# Distinct values and rows


@ask("How many different customers have placed an order?", "orders")
def _() -> Any:
    return orders()["Customer"].nunique()


@ask("How many different names do the members of staff have?", "staff")
def _() -> Any:
    return staff()["Name"].nunique()


# Ties and empty answers


@ask("Of the shops that have taken orders, which have taken the fewest?", "orders")
def _() -> Any:
    return largest(-orders().groupby("Shop").size())


@ask("Which orders were placed in July 2022?", "orders")
def _() -> Any:
    return orders()[orders()["date"].between("2022-07-01", "2022-07-31")]["Order"]


@ask("Which shops in Spain offer both repairs and tastings?", "shops")
def _() -> Any:
    both = shops()["services"].map(lambda items: {"repairs", "tastings"} <= set(items))
    return shops()[both & (shops()["Country"] == "Spain")]["Shop"]
