"""Programs with their answers, over a table of ships, films, mayors with their times, and awards with qualifiers."""

from __future__ import annotations

from cgstore.query.ast import Place
from cgstore.query.name_uses import NameRole, name_uses
from cgstore.query.operands import Named, Names
from cgstore.query.parse import parse
from cgstore.query.sentences import Vocabulary, sentence_of

COLUMNS = ("Ship", "Built", "Route", "Passengers", "Length", "Launched", "Crew", "row_number")
RELATIONS = ("directed by", "starred", "release year", "mayor of", "award received", "parent", "spouse")
QUALIFIERS = ("for work", "year")
TIMES = ("time", "start time", "end time")

Case = tuple[str, list[str | float]]

ON_THE_LINE = "get_information(relation='Route', tail_entity='South Line')"
BIG = "get_information(relation='Passengers', tail_entity>'100')"
PASSENGERS = "get_information(relation='Passengers')"
SHIPS = "get_information(relation='Ship')"
KARL = "head_entity='Karl Imm', relation='mayor of', tail_entity='Ostel'"

OF_TABLES: list[Case] = [
    (f"{ON_THE_LINE}\n{BIG}\nset_intersection(set1='output_of_query1', set2='output_of_query2')\n"
     "get_information(relation='Ship', head_entity='output_of_query3')", ["Bela", "Dena"]),
    (ON_THE_LINE, ["[line_2]", "[line_4]"]),
    (PASSENGERS, ["320", "180", "410"]),
    ("get_information(relation='Ship', head_entity='[line_2]')", ["Bela"]),
    ("get_information(head_entity='Bela', relation='Route')", ["South Line"]),
    ("get_information(relation='Route', key='Ship', value='Alma')", ["North Line"]),
    ("get_information(relation='Route', key='Ship', value='Zora')", []),
    ("get_information(relation='Built', tail_entity>='1990', tail_entity<'2000')", ["[line_1]"]),
    ("get_information(relation='Passengers', tail_entity>='max')", ["[line_3]"]),
    ("get_information(relation='Route', tail_entity>='most')", ["[line_1]", "[line_3]", "[line_5]"]),
    ("get_information(tail_entity='180')", ["[line_2]", "[line_4]"]),
    ("get_information(value>'1,000')", []),
    ("get_information(head_entity='[line_2]')", ["Built", "Length", "Passengers", "Route", "Ship"]),
    ("get_information(head_entity='[line_2]', tail_entity='180')", ["Passengers"]),
    ("get_information(relation='Ship', key='Built')", ["1998", "2004"]),
    (f"set_union(set1={ON_THE_LINE}, set2={BIG})", ["[line_1]", "[line_2]", "[line_3]", "[line_4]"]),
    (f"set_difference(set1={BIG}, set2={ON_THE_LINE})", ["[line_1]", "[line_3]"]),
    (f"set_difference(set1={ON_THE_LINE}, set2={BIG})", []),
    (f"set_negation(set={ON_THE_LINE})", ["[line_1]", "[line_3]", "[line_5]"]),
    (f"keep(set={PASSENGERS}, value>'200', value<='400')", ["320"]),
    (f"keep(set={SHIPS}, contains='el')", ["Bela"]),
    (f"keep(set={SHIPS}, starts_with='B', ends_with='a')", ["Bela"]),
    ("heads(relation='Passengers')", ["[line_1]", "[line_2]", "[line_3]", "[line_4]"]),
    ("heads(source='ships')", ["[line_1]"]),
    (f"exists(set={ON_THE_LINE})", ["yes"]),
    ("exists(set=get_information(relation='Route', tail_entity='East Line'))", ["no"]),
    (f"min(set={PASSENGERS})", ["180"]),
    (f"max(set={PASSENGERS})", ["410"]),
    ("max(set1=get_information(relation='Passengers', key='Ship', value='Alma'), "
     "set2=get_information(relation='Passengers', key='Ship', value='Bela'))", ["320"]),
    (f"sum(set={PASSENGERS})", [1090]),
    (f"mean(set={PASSENGERS})", [272.5]),
    (f"median(set={PASSENGERS})", [250]),
    (f"standard_deviation(set={PASSENGERS})", [112.95]),
    (f"count(set={ON_THE_LINE})", [2]),
    ("mode(set=get_information(relation='Route'))", ["North Line"]),
    (f"first(set={SHIPS})", ["Alma"]),
    (f"last(set=sort(set={SHIPS}, order='alphabetical'), n='2')", ["Dena", "Edda"]),
    (f"nth(set={SHIPS}, n='3')", ["Cora"]),
    (f"nth(set={SHIPS}, n='-2')", ["Dena"]),
    (f"sort(set={PASSENGERS}, order='descending')", ["410", "320", "180"]),
    (f"longest_run(set={BIG})", ["[line_1]", "[line_2]"]),
    (f"argmin(set={PASSENGERS})", ["[line_2]", "[line_4]"]),
    (f"argmax(set={ON_THE_LINE}, relation='Length')", ["[line_4]"]),
    ("previous_row(set=get_information(relation='Ship', tail_entity='Bela'))", ["[line_1]"]),
    ("next_row(set=get_information(relation='Ship', tail_entity='Bela'))\n"
     "get_information(relation='Ship', head_entity='output_of_query1')", ["Cora"]),
    ("next_row(set=get_information(relation='Built'))", [1999, 2005]),
    ("abs(set=get_information(relation='Built'))", [1998]),
    ("to_number(set=get_information(relation='Length'))", [62, 48]),
    ("to_integer(set=get_information(relation='Length'))", [62]),
    ("extract_year(set=get_information(relation='Launched'))", [1998]),
    ("extract_month(set=get_information(relation='Launched'))", [6]),
    ("extract_quarter(set=get_information(relation='Launched'))", [2]),
    ("extract_day(set=get_information(relation='Launched'))", [10]),
    ("extract_year_month(set=get_information(relation='Launched'))", ["1998-06"]),
    ("extract_weekday(set=get_information(relation='Launched'))", ["Wednesday"]),
    ("extract_number(set=get_information(relation='Length'))", [62]),
    ("extract_number(set=get_information(relation='Length'), which='last')", [62]),
    ("items(set=get_information(relation='Crew'), separator=';')", ["Ada", "Bo"]),
    ("fold(set=get_information(relation='Route'))", ["north line", "south line"]),
    (f"distinct(set={SHIPS})", ["Alma"]),
    ("subtract(value1=get_information(relation='Passengers', key='Ship', value='Alma'), value2='20')", [300]),
    ("difference(value1=get_information(relation='Built', head_entity='Alma'), value2='2000')", [2]),
    ("difference(value1=get_information(relation='Launched', head_entity='Alma'), value2='2004-07-02', unit='days')",
     [2214]),
    ("year_difference(value1=get_information(relation='Launched', head_entity='Alma'), value2='2004')", [6]),
    ("month_difference(value1=get_information(relation='Launched', head_entity='Alma'), value2='2004-07')", [73]),
    ("day_difference(value1=get_information(relation='Launched', head_entity='Alma'), value2='2004-07-02')", [2214]),
    ("calculate(value1='2', value2='3', operator='+')", [5]),
    (f"add(value1=count(set={BIG}), value2='1')", [5]),
    (f"multiply(value1=count(set={BIG}), value2='2')", [8]),
    (f"divide(value1=sum(set={PASSENGERS}), value2=count(set={BIG}))", [272.5]),
    (f"percentage(value1=count(set={ON_THE_LINE}), value2=count(set=heads()))", [40]),
    ("subtract(value1=get_information(relation='Passengers'), value2='20')", []),
    ("compare(value1=get_information(relation='Built', key='Ship', value='Alma'), "
     "value2=get_information(relation='Built', key='Ship', value='Dena'), operator='<')", ["Dena"]),
    (f"if(value1=count(set={BIG}), value2='3', then='many', else='few')", ["many"]),
    (f"equals(value1=count(set={BIG}), value2='3')", ["no"]),
    (f"greater_than(value1=count(set={BIG}), value2='3')", ["yes"]),
    (f"less_than(value1=count(set={BIG}), value2='3')", ["no"]),
    ("literals(set='Alma', set='Bela')", ["Alma", "Bela"]),
    ("{Ship}\n" + f'Query1: "{BIG}"', ["Alma", "Bela", "Cora", "Dena"]),
    ("get_information(relation='Passengers', source='ships')", ["320"]),
    ("get_information(relation='Route', tail_entity='south line')", ["[line_2]"]),
    ("get_information(relation='Route', tail_entity='Sowth Line')", ["[line_2]"]),
]  # fmt: skip

WITH_NUMBERS: list[tuple[str, list[tuple[str | float, ...]]]] = [
    (f"for_each(set={ON_THE_LINE}, value=divide('Passengers', 'Length'))", [("[line_2]", 3.75), ("[line_4]", 3.27)]),
    (f"argmax(set=for_each(set={ON_THE_LINE}, value='Passengers'))", [("[line_2]", 180)]),
    ("group(by='Route')", [("North Line", 3), ("South Line", 2)]),
    ("group(by='Route', of='Passengers', function='sum')", [("North Line", 730), ("South Line", 360)]),
    (f"group(by='Route', set={BIG}, of='Length', function='mean')", [("North Line", 66), ("South Line", 51.5)]),
    ("keep(set=group(by='Route'), value>'2')", [("North Line", 3)]),
    ("group(by=extract_year(set=get_information(head_entity=each, relation='Launched')), of='Ship')", [(1998, 1)]),
    ("first(set=sort(set=group(by='Route'), order='descending'), n='3')", [("North Line", 3), ("South Line", 2)]),
    (f"select(set={ON_THE_LINE}, column='Ship', column='Passengers')", [("Bela", "180"), ("Dena", "180")]),
]

OF_GRAPHS: list[Case] = [
    ("get_information(head_entity='Night Ferry', relation='directed by')", ["Mira Holt"]),
    ("get_information(head_entity='Night Ferry', relation='starred')", []),
    ("get_information(relation='directed by', tail_entity='Mira Holt')", ["Night Ferry", "The Salt Road"]),
    ("get_information(head_entity='Night Ferry', relation='directed by')\n"
     "get_information(relation='directed by', tail_entity='output_of_query1')\n"
     "set_difference(set1='output_of_query2', set2='Night Ferry')\n"
     "get_information(head_entity='output_of_query3', relation='starred')", ["Ivo Lenz"]),
    ("get_information(head_entity='Night Ferry', tail_entity='Mira Holt')", ["directed by"]),
    ("get_information(head_entity='Night Ferry', relation='directed by', tail_entity='Mira Holt')", ["Night Ferry"]),
    ("get_information(head_entity='Night Ferry', relation='directed by', tail_entity='Otto Sand')", []),
    ("get_information(relation='starred', key='release year', value>'1990')", ["Dora Weil"]),
    ("set_intersection(set1=get_information(relation='starred', tail_entity='Ivo Lenz'), "
     "set2=get_information(relation='directed by', tail_entity='Mira Holt'))", ["The Salt Road"]),
    ("set_intersection(set1=get_information(relation='starred'), set2=get_information(relation='directed by'))", []),
    ("reach(head_entity='Ada', relation='parent')", ["Bo", "Cy"]),
    ("reach(tail_entity='Ada', relation='parent', at_most='1')", []),
    ("{spouse}\nQuery1: \"get_information(head_entity='Night Ferry', relation='directed by')\"", ["Otto Sand"]),
    ("get_information(relation='mayor of', tail_entity='Ostel', key='time', value='1990')", ["Karl Imm"]),
    (f"get_information({KARL}, key='start_time')", ["1988"]),
    ("get_information(head_entity='Karl Imm', key='time', value='1990')", ["Karl Imm | mayor of | Ostel"]),
    (f"get_information({KARL}, key='time')\nmin(set='output_of_query1')\n"
     "get_information(relation='mayor of', tail_entity='Ostel', key='time')\n"
     "keep(set='output_of_query3', value<'output_of_query2')\nmax(set='output_of_query4')\n"
     "get_information(relation='mayor of', tail_entity='Ostel', key='time', value='output_of_query5')", ["Lena Voss"]),
    ("get_information(relation='award received', key='year', value='1990')", ["Ivo Lenz"]),
    ("get_information(head_entity='Mira Holt', relation='award received', key='for work')", ["The Salt Road"]),
    ("get_information(head_entity='Mira Holt', relation='award received', key='year', value>'1990')",
     ["Silver Lantern"]),
    ("count(set=get_information(key='time'))", [25]),
    ("shortest_text(set=get_information(relation='starred'))", ["Dora Weil"]),
    ("get_information(relation='directed by')", [f"Name {number}" for number in range(1, 15)]),
]  # fmt: skip


def vocabulary(program: str, *, table: bool) -> Vocabulary:
    """What the names of a program mean, where those written in another way are taken for `South Line`."""
    names: dict[Place, Names] = {}
    for use in name_uses(parse(program, undefined=True)):
        text = use.literal.text
        if text.lower() in ("south line", "sowth line"):
            names[use.literal.place] = Names((Named("South Line", "South Line"),))
        elif use.role is NameRole.ENTITY:
            names[use.literal.place] = Names((Named(text, text),))
        else:
            names[use.literal.place] = Names((_relation(text.replace("_", " ") if not table else text),))
    return Vocabulary(names, table)


def _relation(name: str) -> Named:
    assert name in (*COLUMNS, *RELATIONS, *QUALIFIERS, *TIMES), name
    is_key = name in QUALIFIERS or name in TIMES
    return Named(f"x\x1f{name}", name, column=name in COLUMNS, of_heads=not is_key, of_facts=is_key,
                 built_in=name in TIMES)  # fmt: skip


def sentences() -> list[tuple[str, str]]:
    """Every program with its sentence."""
    found = [(program, _sentence(program, answer, (), table=True)) for program, answer in OF_TABLES]
    found += [(program, _sentence(program, [], rows, table=True)) for program, rows in WITH_NUMBERS]
    return found + [(program, _sentence(program, answer, (), table=False)) for program, answer in OF_GRAPHS]


def _sentence(
    program: str, answer: list[str | float], rows: object, *, table: bool
) -> str:  # rows are those of an answer with several columns
    parsed = parse(program, undefined=True)
    return sentence_of(parsed, vocabulary(program, table=table), answer, rows)  # type: ignore[arg-type]
