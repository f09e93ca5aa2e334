"""Modules that are imported by a run are there for the next one as if it had imported them."""

PACKAGE = {
    "shop__kinds": """
        NAMES = {}

        def register(name, price):
            NAMES[name] = price
    """,
    "shop__fruit": """
        from shop.kinds import register

        register("apple", 3)
        SOLD = []
    """,
}


def test_what_an_import_registers_outlives_the_run(project):
    project.write(
        **PACKAGE,
        m="""
        from shop.kinds import NAMES

        def price(count: int) -> int:
            import shop.fruit

            if count > 10:
                return NAMES["apple"] * 10
            return NAMES["apple"] * count
    """,
    )
    checked = project.check("m.py")
    assert checked.verdict("price") == "proved", checked.reasons("price")


def test_a_submodule_stays_an_attribute_of_its_package(project):
    project.write(
        **PACKAGE,
        m="""
        import shop

        def price(count: int) -> int:
            __import__("shop.fruit")
            return len(shop.fruit.SOLD) if count > 10 else count
    """,
    )
    (project.folder / "shop" / "__init__.py").write_text("")
    checked = project.check("m.py")
    assert checked.verdict("price") == "proved", checked.reasons("price")


def test_the_state_of_what_was_imported_is_put_back(project):
    project.write(
        **PACKAGE,
        m="""
        def sell(count: int) -> int:
            from shop.fruit import SOLD

            SOLD.append(count)
            if count > 10:
                return [0, 1][len(SOLD)]
            return [1, 2][len(SOLD)]
    """,
    )
    checked = project.check("m.py")
    assert checked.verdict("sell") == "proved", checked.reasons("sell")


def test_a_module_that_can_be_imported_only_once_stays_as_it_came(project):
    project.write(
        shop__once="""
        import sys

        if hasattr(sys, "seen"):
            raise RuntimeError("twice")
        sys.seen = True
        PRICE = 3
    """,
        m="""
        def price(count: int) -> int:
            import shop.once

            return shop.once.PRICE if count > 10 else shop.once.PRICE * count
    """,
    )
    checked = project.check("m.py")
    assert checked.calls == []
    assert checked.verdict("price") == "proved", checked.reasons("price")


def test_what_only_some_runs_import_may_not_change_the_others(project):
    project.write(
        late="""
        import m

        m.READY.append(True)
    """,
        m="""
        READY = []

        def price(count: int) -> int:
            if count >= 0:
                import late

                return len(READY)
            return 1 // 0 if not READY and count == -7 else 2
    """,
    )
    checked = project.check("m.py")
    assert checked.verdict("price") != "proved"
    assert any("imported by some runs only" in each for each in checked.reasons("price"))


def test_a_run_finds_no_module_that_another_has_imported(project):
    project.write(
        **PACKAGE,
        m="""
        import sys

        import shop

        def price(count: int) -> int:
            if count >= 0:
                import shop.fruit

                return len(shop.fruit.SOLD)
            if count == -7:
                return len(shop.fruit.SOLD)
            return [1][len({"shop.fruit"} & set(sys.modules))]
    """,
    )
    (project.folder / "shop" / "__init__.py").write_text("")
    (project.folder / "shop" / "fruit.py").write_text("from shop.juice import SOLD\n")
    (project.folder / "shop" / "juice.py").write_text("SOLD = []\n")
    checked = project.check("m.py", "--no-cache")
    assert checked.calls == ["price(-7)"], checked.reasons("price")
