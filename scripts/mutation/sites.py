# SPDX-License-Identifier: Apache-2.0
"""Places of C++ sources where one small change is possible, and the code with a switch for it.

A site is found in clang's syntax tree (libclang), so that a change is always that of a whole expression or statement:

    operator    <  <=    >  >=    ==  !=    &&  ||    +  -    &  |    <<  >>    ++  --    +=  -=
    negation    !x becomes x; the condition of an if is turned round; true and false change places
    bound       a number is one larger
    dropped     a call, assignment, break, continue or return without value is left out
    swapped     two neighbouring cases of a switch change places

Nothing inside a macro is changed.
"""
import re
import sys

sys.path.append("/usr/lib/python3/dist-packages")
from clang import cindex  # noqa: E402

Kind = cindex.CursorKind
OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
             "&": "|", "|": "&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
DROPPED = (Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR, Kind.BREAK_STMT,
           Kind.CONTINUE_STMT, Kind.RETURN_STMT)
CONSTANT = (Kind.CASE_STMT, Kind.ENUM_CONSTANT_DECL, Kind.STATIC_ASSERT, Kind.FIELD_DECL, Kind.TEMPLATE_NON_TYPE_PARAMETER,
            Kind.TEMPLATE_REF, Kind.TYPE_REF)


class Site:
    """text[begin:end] of the file becomes replacement.format(number)."""

    def __init__(self, line, begin, end, change, replacement):
        self.line, self.begin, self.end, self.change, self.replacement = line, begin, end, change, replacement


class SiteFinder:
    def __init__(self, path, arguments):
        self.text = open(path, "rb").read()
        self.sites = []
        index = cindex.Index.create()
        unit = index.parse(path, args=arguments, options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        self.errors = [str(found) for found in unit.diagnostics if found.severity >= cindex.Diagnostic.Error]
        top = [cursor for cursor in unit.cursor.get_children()
               if cursor.location.file and cursor.location.file.name == path]
        self.macros = [(cursor.extent.start.offset, cursor.extent.end.offset) for cursor in top
                       if cursor.kind == Kind.MACRO_INSTANTIATION]
        for cursor in top:
            if not cursor.kind.is_preprocessing():
                self.visit(cursor, None)

    def visit(self, cursor, parent):
        if cursor.kind in CONSTANT or (cursor.kind == Kind.VAR_DECL and b"constexpr" in self.source(cursor)):
            if cursor.kind == Kind.CASE_STMT:
                for child in list(cursor.get_children())[1:]:
                    self.visit(child, cursor)
            return
        children = list(cursor.get_children())
        if cursor.kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.operator(cursor, *children)
        elif cursor.kind == Kind.UNARY_OPERATOR and len(children) == 1:
            self.unary(cursor, children[0])
        elif cursor.kind == Kind.INTEGER_LITERAL:
            number = self.source(cursor).decode()
            self.add(cursor, cursor, f"{number} -> {number} + 1", f"(heddle_mutant({{0}}) ? {number} + 1 : {number})")
        elif cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR:
            value = self.source(cursor).decode()
            other = {"true": "false", "false": "true"}.get(value)
            if other:
                self.add(cursor, cursor, f"{value} -> {other}", f"(heddle_mutant({{0}}) ? {other} : {value})")
        elif cursor.kind == Kind.IF_STMT and children and children[0].kind.is_expression():
            self.condition(cursor, children[0])
        elif cursor.kind == Kind.SWITCH_STMT:
            self.cases(cursor, children)
        if cursor.kind == Kind.COMPOUND_STMT:
            for child in children:
                self.statement(child)
        for child in children:
            self.visit(child, cursor)

    def source(self, cursor):
        return self.text[cursor.extent.start.offset : cursor.extent.end.offset]

    def add(self, cursor, where, change, replacement):
        begin, end = where.extent.start.offset, where.extent.end.offset
        if begin >= end or any(begin < to and start < end for start, to in self.macros):
            return
        self.sites.append(Site(where.extent.start.line, begin, end, change, replacement))

    def code(self, cursor):
        """For a replacement: braces are those of str.format."""
        return self.source(cursor).decode(errors="replace").replace("{", "{{").replace("}", "}}")

    def operator(self, cursor, left, right):
        between = COMMENT.sub(b"", self.text[left.extent.end.offset : right.extent.start.offset]).decode(errors="replace")
        sign = between.strip().strip("()").strip()
        other = OPERATORS.get(sign)
        if not other or "\n" in self.source(cursor).decode(errors="replace"):
            return
        changed = f"({self.code(left)}) {other} ({self.code(right)})"
        self.add(cursor, cursor, f"{sign} -> {other}", f"(heddle_mutant({{0}}) ? ({changed}) : ({self.code(cursor)}))")

    def unary(self, cursor, operand):
        text, code = self.source(cursor), self.code(operand)
        if text.startswith(b"!"):
            self.add(cursor, cursor, "! left out", f"(heddle_mutant({{0}}) != !({code}))")
        elif text.startswith((b"++", b"--")):
            sign, other = (b"++", b"--") if text.startswith(b"++") else (b"--", b"++")
            self.add(cursor, cursor, f"{sign.decode()} -> {other.decode()}",
                     f"(heddle_mutant({{0}}) ? {other.decode()}{code} : {sign.decode()}{code})")

    def condition(self, statement, condition):
        before = self.text[statement.extent.start.offset : condition.extent.start.offset]
        if re.fullmatch(rb"if\s*\(\s*", before):  # no declaration in it
            self.add(statement, condition, "condition negated",
                     f"heddle_mutant({{0}}) != static_cast<bool>({self.code(condition)})")

    def statement(self, cursor):
        while cursor.kind == Kind.UNEXPOSED_EXPR and len(list(cursor.get_children())) == 1:
            cursor = next(cursor.get_children())
        if cursor.kind not in DROPPED or (cursor.kind == Kind.RETURN_STMT and list(cursor.get_children())):
            return
        text = " ".join(self.source(cursor).decode(errors="replace").split())
        short = text if len(text) <= 60 else text[:57] + "..."
        self.add(cursor, cursor, f"dropped: {short}", f"if (!heddle_mutant({{0}})) {self.code(cursor)}")

    def cases(self, cursor, children):
        if len(children) != 2 or not children[0].kind.is_expression():
            return
        labels = []
        for child in children[1].get_children():
            if child.kind == Kind.CASE_STMT:
                label = next(child.get_children(), None)
                if label and "\n" not in self.code(label):
                    labels.append(self.code(label))
        condition = self.code(children[0])
        for first, second in zip(labels, labels[1:]):
            self.add(cursor, children[0], f"cases {first} and {second} swapped",
                     f"heddle_swapped(heddle_mutant({{0}}), {condition}, {first}, {second})")


def apply(text, sites):
    """`sites`: (number, site), which do not overlap."""
    for number, site in sorted(sites, key=lambda entry: -entry[1].begin):
        text = text[: site.begin] + site.replacement.format(number).encode() + text[site.end :]
    return text
