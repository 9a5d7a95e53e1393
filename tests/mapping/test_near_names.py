"""Names that differ little: which are another spelling of a name of the graph, and which are another thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.store import Store
from tests.conftest import wipe
from tests.share import share

KG = """\
Boeing 737|manufacturer|Boeing
Boeing 737|first flight|1967
Apollo 11|launch date|1969-07-16
Apollo 11|commander|Neil Armstrong
Apollo 13|commander|Jim Lovell
Marie Curie|place of birth|Warsaw
Marie Curie|date of death|1934-07-04
Marie Curie|spouse|Pierre Curie
Marie Curie|award received|Nobel Prize
Elizabeth II|spouse|Philip
Elizabeth II|father|George VI
Gyula Illyés|place of birth|Rácegrespuszta
2004 AFL Grand Final|winner|Port Adelaide
Second World War|start date|1939
Type A School|located in|Ulm
Part Two|director|Ann Lee
United States of America|capital|Washington
Windows 95|developer|Microsoft
iPhone 4S|developer|Apple
Area 51|located in|Nevada
Highway 61 Revisited|performer|Bob Dylan
Se7en|director|David Fincher
C-130 Hercules|manufacturer|Lockheed
F-16|manufacturer|General Dynamics
B-52|manufacturer|Boeing
Henry VIII|spouse|Anne Boleyn
Louis XIV|father|Louis XIII
Formula 1|founded|1950
Channel 4|founded|1982
Sputnik 1|launch date|1957
Route 66|length|3940
Catch-22|author|Joseph Heller
Ocean's Eleven|director|Steven Soderbergh
21 Grams|director|Alejandro Iñárritu
Chapter 3a|author|Ann Lee
H1N1|discovered in|2009
PS5|developer|Sony
Mi-24|manufacturer|Mil
Toy Story 3|director|Lee Unkrich
Ulm Minster|located in|Ulm
Ulm Minster|architectural style|Gothic
Ada Roe|employee|Tim Fox
Ada Roe|children|Bo Roe
Ada Roe|father|Cy Roe
Ada Roe|birth date|1950
Ada Roe|known language|C
J. R. R. Tolkien|father|Arthur
South Korea|capital|Seoul
President of the USA|seat|Washington
Vice Chancellor of Ulm|seat|Ulm
Bob|blood type|A+
Radio Ulm|broadcast.content.area_served|Ulm
"""

TABLE = """\
Model,Year built,Start date,End station,Home team,Place of birth,Top speed (km/h)
Class 103,1965,2004-03-01,Ulm Central,Ulm FC,Warsaw,200
Class 110,1956,2003-05-01,Bern West,Bern 04,Leipzig,150
Class 218,1968,2002-05-01,Graz,Schalke 05,Bonn,140
"""

TKG = """\
Barack Obama|position held|President of the USA 44|2009|2017
George W. Bush|position held|President of the USA 43|2001|2009
George W. Bush|member of|107th Congress|2001|2003
Benedict XVI|position held|pope|2005|2013
John Paul II|position held|pope|1978|2005
Ajax|member of sports team|Eredivisie 1990|1990|1991
"""

OTHERS = """
kg | head_entity='{}', relation='manufacturer' | Boeing 747; Boeing 73; Boeing 7377; C-131 Hercules; F-15; F-116; B-51
kg | head_entity='{}', relation='manufacturer' | Mi-8
kg | head_entity='{}', relation='first flight' | Boeing 727; Boeing
kg | head_entity='{}', relation='commander' | Apollo 12; Apollo 1; Apollo XII; Apollo; Apollo twelve
kg | head_entity='{}', relation='spouse' | Elizabeth I; Elizabeth; Elizabeth 3rd; Henry VII; Henry IX; Pierre Curie II
kg | head_entity='{}', relation='father' | Elizabeth III; Louis XV; C. S. Tolkien
kg | head_entity='{}', relation='winner' | 2003 AFL Grand Final; 2005 AFL Grand Final; AFL Grand Final
kg | head_entity='{}', relation='start date' | First World War; World War I; World War
kg | head_entity='{}', relation='located in' | Type B School; Area 52
kg | head_entity='{}', relation='director' | Part One; Part Three; Ocean's Twelve; 22 Grams; Toy Story 2; Toy Story
kg | head_entity='{}', relation='developer' | Windows 98; Windows 9; Windows; iPhone 5S; iPhone 4; PS4
kg | head_entity='{}', relation='performer' | Highway 62 Revisited
kg | head_entity='{}', relation='founded' | Formula 2; Channel 5
kg | head_entity='{}', relation='launch date' | Sputnik 2
kg | head_entity='{}', relation='length' | Route 67
kg | head_entity='{}', relation='author' | Catch-23; Chapter 3b
kg | head_entity='{}', relation='discovered in' | H1N2
kg | relation='father', tail_entity='{}' | George V
kg | relation='first flight', tail_entity='{}' | 1968
kg | relation='founded', tail_entity='{}' | 1951
kg | relation='discovered in', tail_entity='{}' | 2010
kg | head_entity='Marie Curie', relation='{}' | place of death; cause of death; place of burial; award nominated
kg | head_entity='Marie Curie', relation='{}' | place_of_residence
kg | head_entity='Second World War', relation='{}' | end date; end_date
kg | head_entity='Boeing 737', relation='{}' | last flight; second flight; country of manufacturer
kg | head_entity='Apollo 11', relation='{}' | landing date; launch site
kg | head_entity='Elizabeth II', relation='{}' | mother; grandfather; stepfather
kg | head_entity='Ulm Minster', relation='{}' | architectural height
kg | head_entity='Se7en', relation='{}' | co-director
kg | head_entity='Formula 1', relation='{}' | founder
kg | head_entity='Ada Roe', relation='{}' | employer; number of children; father in law; spouse birth date
kg | head_entity='Radio Ulm', relation='{}' | location.location.area
kg | head_entity='{}', relation='capital' | North Korea
kg | head_entity='{}', relation='seat' | Vice President of the USA; Chancellor of Ulm
kg | relation='blood type', tail_entity='{}' | A-; A
kg | relation='known language', tail_entity='{}' | C++; C#
table | relation='Model', key='Model', value='{}' | Class 104; Class 111
table | relation='Model', key='Home team', value='{}' | Schalke 04; Bern 05
table | relation='Model', key='Year built', value='{}' | 1966
table | relation='Model', key='Start date', value='{}' | 2004-03-02
table | relation='Model', key='{}', value='2004-03-01' | End date
table | relation='Model', key='{}', value='Warsaw' | place of death
table | relation='Model', key='{}', value='Graz' | Start station; Away team
table | relation='Model', key='{}', value='1965' | Year sold
table | relation='Model', key='{}', value='200' | Top speed (mph)
tkg | relation='position held', tail_entity='{}' | President of the USA 45; President of the USA
tkg | relation='member of', tail_entity='{}' | 108th Congress
tkg | relation='member of sports team', tail_entity='{}' | Eredivisie 1991
tkg | head_entity='{}', relation='position held' | Benedict XV; John Paul I; John Paul; George H. W. Bush
tkg | head_entity='Barack Obama', relation='{}' | position sought
tkg | head_entity='George W. Bush', relation='{}' | employee of
"""
"""A source, the arguments of get_information, and names that stand for nothing there."""

SPELLINGS = """
kg | head_entity='{}', relation='commander' | Apollo XI -> Apollo 11; Apollo eleven -> Apollo 11
kg | head_entity='{}', relation='commander' | Apolo 11 -> Apollo 11; apollo-11 -> Apollo 11; Apollo11 -> Apollo 11
kg | head_entity='{}', relation='spouse' | Elisabeth II -> Elizabeth II; Henry 8 -> Henry VIII
kg | head_entity='{}', relation='spouse' | Mary Curie -> Marie Curie; marie curie -> Marie Curie
kg | head_entity='{}', relation='spouse' | Curie, Marie -> Marie Curie; Marie Curi -> Marie Curie
kg | head_entity='{}', relation='father' | Elizabeth the Second -> Elizabeth II; Elizabeth 2 -> Elizabeth II
kg | head_entity='{}', relation='father' | Elizabeth 2nd -> Elizabeth II; elizabet II -> Elizabeth II
kg | head_entity='{}', relation='father' | Louis XIV. -> Louis XIV; J.R.R. Tolkien -> J. R. R. Tolkien
kg | head_entity='{}', relation='winner' | AFL Grand Final 2004 -> 2004 AFL Grand Final
kg | head_entity='{}', relation='winner' | 2004 ALF Grand Final -> 2004 AFL Grand Final
kg | head_entity='{}', relation='start date' | World War II -> Second World War; 2nd World War -> Second World War
kg | head_entity='{}', relation='director' | Part 2 -> Part Two; Oceans Eleven -> Ocean's Eleven
kg | head_entity='{}', relation='director' | Ocean's 11 -> Ocean's Eleven
kg | head_entity='{}', relation='developer' | windows95 -> Windows 95; iPhone 4S -> iPhone 4S; iphone 4s -> iPhone 4S
kg | head_entity='{}', relation='performer' | Highway 61 Revisted -> Highway 61 Revisited
kg | head_entity='{}', relation='manufacturer' | F16 -> F-16; B52 -> B-52
kg | head_entity='{}', relation='founded' | Formula One -> Formula 1
kg | head_entity='{}', relation='author' | Catch 22 -> Catch-22
kg | head_entity='{}', relation='place of birth' | Gyula Illyes -> Gyula Illyés
kg | head_entity='{}', relation='capital' | united_states_of_america -> United States of America
kg | head_entity='{}', relation='capital' | Untied States of America -> United States of America
kg | head_entity='{}', relation='capital' | south korea -> South Korea
kg | head_entity='{}', relation='located in' | Ulm Minstre -> Ulm Minster
kg | relation='place of birth', tail_entity='{}' | Warsow -> Warsaw
kg | relation='director', tail_entity='{}' | Alejandro Inarritu -> Alejandro Iñárritu
kg | relation='director', tail_entity='{}' | Steven Soderberg -> Steven Soderbergh
kg | head_entity='Marie Curie', relation='{}' | place_of_birth -> place of birth; birth place -> place of birth
kg | head_entity='Marie Curie', relation='{}' | place of brith -> place of birth; Place Of Birth -> place of birth
kg | head_entity='Marie Curie', relation='{}' | award -> award received; awards received -> award received
kg | head_entity='Marie Curie', relation='{}' | spouses -> spouse; birthPlace -> place of birth
kg | head_entity='Marie Curie', relation='{}' | place of birth (city) -> place of birth
kg | head_entity='Second World War', relation='{}' | strat date -> start date
kg | head_entity='Se7en', relation='{}' | directed by -> director
kg | head_entity='Ada Roe', relation='{}' | date of birth -> birth date; known languages -> known language
kg | head_entity='Ada Roe', relation='{}' | chidlren -> children
kg | relation='blood type', tail_entity='{}' | a+ -> A+
kg | relation='known language', tail_entity='{}' | c -> C
kg | head_entity='Radio Ulm', relation='{}' | location.location.area_served -> broadcast.content.area_served
table | relation='Model', key='Model', value='{}' | clas 103 -> Class 103; class103 -> Class 103
table | relation='Model', key='Home team', value='{}' | Shalke 05 -> Schalke 05
table | relation='Model', key='{}', value='Warsaw' | place of brith -> Place of birth
table | relation='Model', key='{}', value='200' | Top speed -> Top speed (km/h)
tkg | relation='member of', tail_entity='{}' | 107 Congress -> 107th Congress
tkg | relation='position held', tail_entity='{}' | Presdent of the USA 44 -> President of the USA 44
tkg | head_entity='{}', relation='position held' | John Paul 2 -> John Paul II; George Bush -> George W. Bush
tkg | head_entity='Barack Obama', relation='{}' | position_held -> position held
tkg | head_entity='George W. Bush', relation='{}' | member of -> member of
"""
"""The same with names that are others' in another spelling."""


def cases(table: str) -> Iterator[tuple[str, str, str]]:
    """Each name with its source and its program."""
    for source, arguments, names in (line.split(" | ") for line in table.strip().splitlines()):
        for name in names.split("; "):
            yield source, f"get_information({arguments.format(name.partition(' -> ')[0])})", name


def loaded(db: Database, folder: Path) -> Store:
    wipe(db)
    store = Store(db)
    for name, text in (("kg.txt", KG), ("table.csv", TABLE), ("tkg.txt", TKG)):
        (folder / name).write_text(text, encoding="utf-8")
    store.load_kg(folder / "kg.txt", header=False, delimiter="|")
    store.load_table(folder / "table.csv")
    store.load_tkg(folder / "tkg.txt", header=False, delimiter="|")
    return store


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return loaded(shared_db, tmp_path_factory.mktemp("names"))


@pytest.fixture(scope="module")
def embedded(store: Store) -> Store:
    """The same with vectors, from here on."""
    store.embed()
    return store


@pytest.mark.parametrize(("source", "program", "name"), list(cases(OTHERS)))
def test_a_name_is_never_taken_for_that_of_another_thing(store: Store, source: str, program: str, name: str) -> None:
    try:
        answer = store.query(program, [source], evidence=False)
    except UnmappedName as error:
        assert f"'{name}'" in str(error)
        return
    assert not answer.answer
    assert not [mapping.node for mapping in answer.mappings if mapping.name == name != mapping.node]


def test_a_low_threshold_takes_no_other_thing_and_the_nearest_are_told(store: Store) -> None:
    with pytest.raises(UnmappedName, match="no entity is named 'Elizabeth I'") as error:
        store.query("get_information(head_entity='Elizabeth I', relation='spouse')", ["kg"], threshold=0.0)
    assert error.value.closest
    program = "get_information(relation='Model', key='Model', value='{}')"
    assert store.query(program.format("Clas 103"), ["table"], by_column=0.5).answer == ("Class 103",)
    with pytest.raises(UnmappedName):
        store.query(program.format("Class 104"), ["table"], by_column=0.0)


@pytest.mark.parametrize(("source", "program", "spelling"), list(cases(SPELLINGS)))
def test_another_spelling_of_a_name_is_taken_with_a_note(
    store: Store, source: str, program: str, spelling: str
) -> None:
    name, node = spelling.split(" -> ")
    answer = store.query(program, [source], evidence=False)
    (how,) = {mapping.how for mapping in answer.mappings if (mapping.name, mapping.node) == (name, node)}
    notes = [note for note in answer.warnings if f"'{name}'" in note and f"'{node}'" in note]
    assert notes or how in ("exact", "normalised")


@pytest.mark.parametrize(("source", "program", "name"), share(cases(OTHERS), 4))
def test_by_vectors_no_name_is_taken_for_that_of_another_thing(
    embedded: Store, source: str, program: str, name: str
) -> None:
    test_a_name_is_never_taken_for_that_of_another_thing(embedded, source, program, name)


@pytest.mark.parametrize(("source", "program", "spelling"), share(cases(SPELLINGS), 4))
def test_by_vectors_another_spelling_of_a_name_is_taken(
    embedded: Store, source: str, program: str, spelling: str
) -> None:
    test_another_spelling_of_a_name_is_taken_with_a_note(embedded, source, program, spelling)
