// VRIR's text form: appendix A of the thesis and the extensions of docs/vrir.md, for ANTLR 4.
//
// One grammar takes both dialects. It is as loose as the looser one (`mclab`); what strict VRIR refuses is checked where
// the tree is built (src/text/tree_builder.cpp), with a message of its own.
//
// Every decision is LL(1): after "(" the head word says what follows. Keep it so — the generated parser then never
// predicts (no adaptivePredict call in generated/VrirParser.cpp; a test looks), which is what makes it fast.
// The grammar has no actions: the parser's base class (src/text/parser_base.hpp) sees rules begin and end.
grammar Vrir;
tokens { ModuleText }

// ---------------------------------------------------------------- modules and functions
module: Lp ModuleTok moduleAttr* Lp FnsTok function* Rp Rp EOF;

moduleAttr
  : AttrName moduleName
  | AttrIndexing Intval
  | AttrExclude boolval
  | AttrFlatten boolval
  | AttrGrow boolval
  | AttrAssign text
  | AttrSlices text
  | AttrNan text
  | AttrMemory text
  | AttrMindims Intval
  | AttrFastmath (boolval | word+ | Lp word* Rp)
  | AttrBroadcast text
  | AttrPromote text
  | AttrOverflow text
  | AttrVrir Intval
  ;

// ModuleText: what follows `:name` in the mclab dialect when it is no word (see the lexer rules).
moduleName: text | ModuleText;

// With ExternTok: a function of the host.
function
  : Lp
    ( FunctionTok locAttr? AttrName? text locAttr? vtype arglist body symtable
    | ExternTok locAttr? AttrName? text locAttr? (AttrParallel boolval)? vtype
    )
    Rp
  ;

locAttr: AttrLoc text;

arglist: Lp ArglistTok fnarg* Rp;
fnarg: Lp ArgTok AttrId Intval Rp | Intval;

symtable: Lp SymtableTok sym* Rp;
sym: Lp SymTok AttrId Intval AttrName text vtype Rp;

body: Lp BodyTok statement* Rp;

// ---------------------------------------------------------------- types
vtype: VoidTok | Lp typeBody Rp;

typeBody
  : scalartype
  | arraytype
  | tupletype
  | domaintype
  | fntype
  | voidtype
  | nulltype
  ;

scalartype
  : (Int8Tok | Int16Tok | Int32Tok | Int64Tok | Uint8Tok | Uint16Tok | Uint32Tok | Uint64Tok | Float16Tok
    | Bfloat16Tok | Float32Tok | Float64Tok | BoolTok) (AttrCtype Intval)?;
arraytype: ArrayTypeTok arrayAttr* vtype;
arrayAttr: AttrLayout text | AttrNdims Intval;
tupletype: TupleTypeTok vtype*;
domaintype: DomainTypeTok (AttrNdims Intval)? vtype+;
fntype: FnTypeTok fntypePart*;
// A bare type is the mclab dialect's: the inputs, then the outputs.
fntypePart: Lp (IntypesTok vtype* | OuttypesTok vtype* | typeBody) Rp;
voidtype: VoidTok | VtypeTok AttrName VoidTok;
nulltype: NullTok (AttrCtype Intval)?;

// ---------------------------------------------------------------- statements
statement: Lp statementBody Rp;

statementBody
  : assignstmt
  | stmtlist
  | forstmt
  | pforstmt
  | whilestmt
  | ifstmt
  | breakstmt
  | continuestmt
  | returnstmt
  | raisestmt
  | exprstmt
  ;

assignstmt: AssignstmtTok locAttr? lhs rhs;
lhs: Lp LhsTok expr* Rp;
rhs: Lp RhsTok expr? Rp;

stmtlist: StmtlistTok stmtlistAttr* Lp StmtsTok statement* Rp;
stmtlistAttr: AttrOnGpu boolval | locAttr;

forstmt: ForstmtTok locAttr? itervars loopdomain body;
itervars: Lp ItervarsTok symref+ Rp;
symref: Intval | Lp SymTok AttrId Intval Rp;
loopdomain: Lp LoopDomainTok expr Rp;

pforstmt: PforstmtTok pforAttr* itervars loopdomain pforPart+;
pforAttr: AttrShared AutoTok | locAttr;
pforPart: Lp (SharedTok (AutoTok | symref*) | BodyTok statement*) Rp;

whilestmt: WhilestmtTok locAttr? test body;
test: Lp TestTok expr Rp;

ifstmt: IfstmtTok locAttr? test ifBody elseBody?;
ifBody: Lp IfTok statement* Rp;
elseBody: Lp ElseTok statement* Rp;

breakstmt: BreakTok locAttr?;
continuestmt: ContinueTok locAttr?;
returnstmt: ReturnstmtTok locAttr? (Lp ExprsTok expr* Rp)?;
raisestmt: RaiseTok raiseAttr* args?;
raiseAttr: AttrCode Intval | AttrText text | locAttr;
exprstmt: ExprstmtTok locAttr? expr;

// ---------------------------------------------------------------- expressions
expr: Lp exprBody Rp;

exprBody
  : binary
  | logic
  | unary
  | name
  | realconst
  | complexconst
  | indexexpr
  | fncall
  | fnhandle
  | libcall
  | alloc
  | dim
  | dimvec
  | tuple
  | tupleindex
  | complexexpr
  | realexpr
  | imagexpr
  | range
  | domain
  | xchange
  | unaryplus
  ;

binary
  : (PlusTok | MinusTok | MultTok | DivTok | LtTok | LeqTok | GtTok | GeqTok | EqTok | NeqTok) vtype lhsOperand rhsOperand
  ;
lhsOperand: Lp LhsTok expr Rp;
rhsOperand: Lp RhsTok expr Rp;

// The mclab dialect leaves (lhs) and (rhs) out here.
logic: (AndTok | OrTok) vtype operand operand;
operand: Lp (LhsTok expr | RhsTok expr | exprBody) Rp;

unary: (NotTok | NegateTok | CastTok) vtype expr;
// `( T e)`, no head word: the mclab dialect's unary plus.
unaryplus: vtype expr;

name: NameTok AttrId Intval vtype;

realconst: RealConstTok (AttrIval Intval | (AttrDval | AttrFval) number) vtype;
complexconst: ComplexConstTok complexAttr* vtype;
complexAttr: (AttrRe | AttrIm) number;

indexexpr: IndexTok indexAttr* vtype indices;
indexAttr: AttrArrayid Intval | AttrCopyslice boolval | AttrFlatten boolval | AttrGrow boolval;
indices: Lp IndicesTok aindex+ Rp;
aindex: Lp IndexTok aindexAttr* expr Rp;
aindexAttr: (AttrBoundscheck | AttrNegative | AttrMinBounds | AttrMaxBounds | AttrGrow) boolval;

fncall: FncallTok AttrFnname text vtype args;
fnhandle: FnhandleTok AttrFnname text vtype;
libcall: LibcallTok AttrLibfunc text vtype args;
alloc: AllocTok AttrFunc text vtype args;
args: Lp ArgsTok expr* Rp;

dim: DimTok dimAttr* vtype;
dimAttr: (AttrArrayid | AttrDimid) Intval;
dimvec: DimvecTok (AttrId | AttrArrayid) Intval vtype;

tuple: TupleTok vtype elems;
elems: Lp (ElemsTok | ElmsTok) expr* Rp;
tupleindex: TupleIndexTok tupleindexAttr* vtype;
tupleindexAttr: (AttrIndex | AttrTupleid) Intval;

complexexpr: ComplexTok vtype expr expr;
realexpr: RealTok AttrId Intval vtype;
imagexpr: ImagTok AttrId Intval vtype;

range: RangeTok (AttrExclude boolval)? rangePart*;
// The type is stated only where it cannot be told from the place (docs/vrir.md, range).
rangePart: Lp (StartTok expr | StepTok expr | StopTok expr | typeBody) Rp;
domain: DomainTok vtype domainRange+;
domainRange: Lp range Rp;

xchange: XchangeTok xchangeAttr* vtype indices args;
xchangeAttr: AttrOp text | AttrArrayid Intval;

// ---------------------------------------------------------------- values
boolval: TrueTok | FalseTok;
number: Floatval | Intval | InfTok | NanTok;
text: word | String;

// Where a name is due any word will do, also one that is a keyword elsewhere.
word
  : Name | InfTok | NanTok
  | ModuleTok | FnsTok | FunctionTok | ExternTok | ArglistTok | ArgTok | SymtableTok | SymTok | BodyTok
  | VoidTok | VtypeTok | NullTok | Int8Tok | Int16Tok | Int32Tok | Int64Tok | Uint8Tok
  | Uint16Tok | Uint32Tok | Uint64Tok | Float16Tok | Bfloat16Tok | Float32Tok | Float64Tok | BoolTok
  | ArrayTypeTok | TupleTypeTok | DomainTypeTok | FnTypeTok | IntypesTok | OuttypesTok
  | AssignstmtTok | StmtlistTok | ForstmtTok | PforstmtTok | WhilestmtTok | IfstmtTok | BreakTok | ContinueTok
  | ReturnstmtTok | RaiseTok | ExprstmtTok | LhsTok | RhsTok | StmtsTok | ItervarsTok | LoopDomainTok | SharedTok | AutoTok
  | TestTok | IfTok | ElseTok | ExprsTok
  | PlusTok | MinusTok | MultTok | DivTok | LtTok | LeqTok | GtTok | GeqTok | EqTok | NeqTok | AndTok | OrTok
  | NotTok | NegateTok | CastTok | NameTok | RealConstTok | ComplexConstTok | IndexTok | IndicesTok
  | FncallTok | FnhandleTok | LibcallTok | ArgsTok | AllocTok | DimTok | DimvecTok | TupleTok | ElemsTok | ElmsTok
  | TupleIndexTok | ComplexTok | RealTok | ImagTok | RangeTok | StartTok | StepTok | StopTok | DomainTok | XchangeTok
  ;

// ---------------------------------------------------------------- tokens
// src/text/scanner.cpp reads the same tokens faster (a test holds the two together) and adds one that needs context:
// directly after `( module :name`, text that is neither a word nor a string is ModuleText up to the next attribute.
Lp: '(';
Rp: ')';

ModuleTok: 'module';
FnsTok: 'fns';
FunctionTok: 'function';
ExternTok: 'extern';
ArglistTok: 'arglist';
ArgTok: 'arg';
SymtableTok: 'symtable';
SymTok: 'sym';
BodyTok: 'body';

VoidTok: 'void';
VtypeTok: 'vtype';
NullTok: 'null';
Int8Tok: 'int8';
Int16Tok: 'int16';
Int32Tok: 'int32';
Int64Tok: 'int64';
Uint8Tok: 'uint8';
Uint16Tok: 'uint16';
Uint32Tok: 'uint32';
Uint64Tok: 'uint64';
Float16Tok: 'float16';
Bfloat16Tok: 'bfloat16';
Float32Tok: 'float32';
Float64Tok: 'float64';
BoolTok: 'bool';
ArrayTypeTok: 'arraytype';
TupleTypeTok: 'tupletype';
DomainTypeTok: 'domaintype';
FnTypeTok: 'functype';
IntypesTok: 'intypes';
OuttypesTok: 'outtypes';

AssignstmtTok: 'assignstmt';
StmtlistTok: 'stmtlist';
ForstmtTok: 'forstmt';
PforstmtTok: 'pforstmt';
WhilestmtTok: 'whilestmt';
IfstmtTok: 'ifstmt';
BreakTok: 'break';
ContinueTok: 'continue';
ReturnstmtTok: 'returnstmt';
RaiseTok: 'raise';
ExprstmtTok: 'exprstmt';
LhsTok: 'lhs';
RhsTok: 'rhs';
StmtsTok: 'stmts';
ItervarsTok: 'itervars';
LoopDomainTok: 'loopdomain';
SharedTok: 'shared';
AutoTok: 'auto';
TestTok: 'test';
IfTok: 'if';
ElseTok: 'else';
ExprsTok: 'exprs';

PlusTok: 'plus';
MinusTok: 'minus';
MultTok: 'mult';
DivTok: 'div';
LtTok: 'lt';
LeqTok: 'leq';
GtTok: 'gt';
GeqTok: 'geq';
EqTok: 'eq';
NeqTok: 'neq';
AndTok: 'and';
OrTok: 'or';
NotTok: 'not';
NegateTok: 'negate';
CastTok: 'cast';
NameTok: 'name';
RealConstTok: 'realconst';
ComplexConstTok: 'complexconst';
IndexTok: 'index';
IndicesTok: 'indices';
FncallTok: 'fncall';
FnhandleTok: 'fnhandle';
LibcallTok: 'libcall';
ArgsTok: 'args';
AllocTok: 'alloc';
DimTok: 'dim';
DimvecTok: 'dimvec';
TupleTok: 'tuple';
ElemsTok: 'elems';
ElmsTok: 'elms';
TupleIndexTok: 'tupleindex';
ComplexTok: 'complex';
RealTok: 'real';
ImagTok: 'imag';
RangeTok: 'range';
StartTok: 'start';
StepTok: 'step';
StopTok: 'stop';
DomainTok: 'domain';
XchangeTok: 'xchange';

InfTok: 'inf';
NanTok: 'nan';

AttrName: ':name';
AttrIndexing: ':indexing';
AttrExclude: ':exclude';
AttrFlatten: ':flatten';
AttrGrow: ':grow';
AttrAssign: ':assign';
AttrSlices: ':slices';
AttrNan: ':nan';
AttrMemory: ':memory';
AttrMindims: ':mindims';
AttrFastmath: ':fastmath';
AttrBroadcast: ':broadcast';
AttrPromote: ':promote';
AttrOverflow: ':overflow';
AttrVrir: ':vrir';
AttrLoc: ':loc';
AttrId: ':id';
AttrCtype: ':ctype';
AttrLayout: ':layout';
AttrNdims: ':ndims';
AttrOnGpu: ':onGpu';
AttrShared: ':shared';
AttrIval: ':ival';
AttrDval: ':dval';
AttrFval: ':fval';
AttrRe: ':re';
AttrIm: ':im';
AttrArrayid: ':arrayid';
AttrCopyslice: ':copyslice';
AttrBoundscheck: ':boundscheck';
AttrNegative: ':negative';
AttrMinBounds: ':minbounds';
AttrMaxBounds: ':maxbounds';
AttrFnname: ':fnname';
AttrLibfunc: ':libfunc';
AttrFunc: ':func';
AttrDimid: ':dimid';
AttrIndex: ':index';
AttrTupleid: ':tupleid';
AttrOp: ':op';
AttrParallel: ':parallel';
AttrCode: ':code';
AttrText: ':text';
AttrUnknown: ':' [a-zA-Z_]+;

TrueTok: '%1';
FalseTok: '%0';
Name: [a-zA-Z_] [a-zA-Z_0-9]*;
Intval: Sign? Digit+;
// Decimal (1.5 .5 1. 1e9), hexadecimal (0x1.8p3), signed infinities and NaNs; nan:0xHEX has HEX as its payload.
Floatval
  : Sign? (Digit+ '.' Digit* | '.' Digit+) Exponent?
  | Sign? Digit+ Exponent
  | Sign? '0' [xX] (Hex+ ('.' Hex*)? | '.' Hex+) ([pP] Sign? Digit+)?
  | Sign ('inf' | 'nan')
  | Sign? 'nan:0x' Hex+
  ;
String: '"' (~["\\\r\n] | '\\' ~[\r\n])* '"';

Comment: ';' ~[\r\n]* -> skip;
WS: [ \t\r\n]+ -> skip;
// Anything else, so that the parser reports it with its place.
Junk: .;

fragment Sign: [+-];
fragment Digit: [0-9];
fragment Hex: [0-9a-fA-F];
fragment Exponent: [eE] Sign? Digit+;
