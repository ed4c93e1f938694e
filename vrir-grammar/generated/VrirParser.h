
// Generated from Vrir.g4 by ANTLR 4.7.2

#pragma once


#include "antlr4-runtime.h"




class  VrirParser : public VrirParserBase {
public:
  enum {
    Lp = 1, Rp = 2, ModuleTok = 3, FnsTok = 4, FunctionTok = 5, ExternTok = 6, 
    ArglistTok = 7, ArgTok = 8, SymtableTok = 9, SymTok = 10, BodyTok = 11, 
    VoidTok = 12, VtypeTok = 13, NullTok = 14, Int8Tok = 15, Int16Tok = 16, 
    Int32Tok = 17, Int64Tok = 18, Uint8Tok = 19, Uint16Tok = 20, Uint32Tok = 21, 
    Uint64Tok = 22, Float16Tok = 23, Bfloat16Tok = 24, Float32Tok = 25, 
    Float64Tok = 26, BoolTok = 27, ArrayTypeTok = 28, TupleTypeTok = 29, 
    DomainTypeTok = 30, FnTypeTok = 31, IntypesTok = 32, OuttypesTok = 33, 
    AssignstmtTok = 34, StmtlistTok = 35, ForstmtTok = 36, PforstmtTok = 37, 
    WhilestmtTok = 38, IfstmtTok = 39, BreakTok = 40, ContinueTok = 41, 
    ReturnstmtTok = 42, RaiseTok = 43, ExprstmtTok = 44, LhsTok = 45, RhsTok = 46, 
    StmtsTok = 47, ItervarsTok = 48, LoopDomainTok = 49, SharedTok = 50, 
    AutoTok = 51, TestTok = 52, IfTok = 53, ElseTok = 54, ExprsTok = 55, 
    PlusTok = 56, MinusTok = 57, MultTok = 58, DivTok = 59, LtTok = 60, 
    LeqTok = 61, GtTok = 62, GeqTok = 63, EqTok = 64, NeqTok = 65, AndTok = 66, 
    OrTok = 67, NotTok = 68, NegateTok = 69, CastTok = 70, NameTok = 71, 
    RealConstTok = 72, ComplexConstTok = 73, IndexTok = 74, IndicesTok = 75, 
    FncallTok = 76, FnhandleTok = 77, LibcallTok = 78, ArgsTok = 79, AllocTok = 80, 
    DimTok = 81, DimvecTok = 82, TupleTok = 83, ElemsTok = 84, ElmsTok = 85, 
    TupleIndexTok = 86, ComplexTok = 87, RealTok = 88, ImagTok = 89, RangeTok = 90, 
    StartTok = 91, StepTok = 92, StopTok = 93, DomainTok = 94, XchangeTok = 95, 
    InfTok = 96, NanTok = 97, AttrName = 98, AttrIndexing = 99, AttrExclude = 100, 
    AttrFlatten = 101, AttrGrow = 102, AttrAssign = 103, AttrSlices = 104, 
    AttrNan = 105, AttrMemory = 106, AttrMindims = 107, AttrFastmath = 108, 
    AttrBroadcast = 109, AttrPromote = 110, AttrOverflow = 111, AttrVrir = 112, 
    AttrLoc = 113, AttrId = 114, AttrCtype = 115, AttrLayout = 116, AttrNdims = 117, 
    AttrOnGpu = 118, AttrShared = 119, AttrIval = 120, AttrDval = 121, AttrFval = 122, 
    AttrRe = 123, AttrIm = 124, AttrArrayid = 125, AttrCopyslice = 126, 
    AttrBoundscheck = 127, AttrNegative = 128, AttrMinBounds = 129, AttrMaxBounds = 130, 
    AttrFnname = 131, AttrLibfunc = 132, AttrFunc = 133, AttrDimid = 134, 
    AttrIndex = 135, AttrTupleid = 136, AttrOp = 137, AttrParallel = 138, 
    AttrCode = 139, AttrText = 140, AttrUnknown = 141, TrueTok = 142, FalseTok = 143, 
    Name = 144, Intval = 145, Floatval = 146, String = 147, Comment = 148, 
    WS = 149, Junk = 150, ModuleText = 151
  };

  enum {
    RuleModule = 0, RuleModuleAttr = 1, RuleModuleName = 2, RuleFunction = 3, 
    RuleLocAttr = 4, RuleArglist = 5, RuleFnarg = 6, RuleSymtable = 7, RuleSym = 8, 
    RuleBody = 9, RuleVtype = 10, RuleTypeBody = 11, RuleScalartype = 12, 
    RuleArraytype = 13, RuleArrayAttr = 14, RuleTupletype = 15, RuleDomaintype = 16, 
    RuleFntype = 17, RuleFntypePart = 18, RuleVoidtype = 19, RuleNulltype = 20, 
    RuleStatement = 21, RuleStatementBody = 22, RuleAssignstmt = 23, RuleLhs = 24, 
    RuleRhs = 25, RuleStmtlist = 26, RuleStmtlistAttr = 27, RuleForstmt = 28, 
    RuleItervars = 29, RuleSymref = 30, RuleLoopdomain = 31, RulePforstmt = 32, 
    RulePforAttr = 33, RulePforPart = 34, RuleWhilestmt = 35, RuleTest = 36, 
    RuleIfstmt = 37, RuleIfBody = 38, RuleElseBody = 39, RuleBreakstmt = 40, 
    RuleContinuestmt = 41, RuleReturnstmt = 42, RuleRaisestmt = 43, RuleRaiseAttr = 44, 
    RuleExprstmt = 45, RuleExpr = 46, RuleExprBody = 47, RuleBinary = 48, 
    RuleLhsOperand = 49, RuleRhsOperand = 50, RuleLogic = 51, RuleOperand = 52, 
    RuleUnary = 53, RuleUnaryplus = 54, RuleName = 55, RuleRealconst = 56, 
    RuleComplexconst = 57, RuleComplexAttr = 58, RuleIndexexpr = 59, RuleIndexAttr = 60, 
    RuleIndices = 61, RuleAindex = 62, RuleAindexAttr = 63, RuleFncall = 64, 
    RuleFnhandle = 65, RuleLibcall = 66, RuleAlloc = 67, RuleArgs = 68, 
    RuleDim = 69, RuleDimAttr = 70, RuleDimvec = 71, RuleTuple = 72, RuleElems = 73, 
    RuleTupleindex = 74, RuleTupleindexAttr = 75, RuleComplexexpr = 76, 
    RuleRealexpr = 77, RuleImagexpr = 78, RuleRange = 79, RuleRangePart = 80, 
    RuleDomain = 81, RuleDomainRange = 82, RuleXchange = 83, RuleXchangeAttr = 84, 
    RuleBoolval = 85, RuleNumber = 86, RuleText = 87, RuleWord = 88
  };

  VrirParser(antlr4::TokenStream *input);
  ~VrirParser();

  virtual std::string getGrammarFileName() const override;
  virtual const antlr4::atn::ATN& getATN() const override { return _atn; };
  virtual const std::vector<std::string>& getTokenNames() const override { return _tokenNames; }; // deprecated: use vocabulary instead.
  virtual const std::vector<std::string>& getRuleNames() const override;
  virtual antlr4::dfa::Vocabulary& getVocabulary() const override;


  class ModuleContext;
  class ModuleAttrContext;
  class ModuleNameContext;
  class FunctionContext;
  class LocAttrContext;
  class ArglistContext;
  class FnargContext;
  class SymtableContext;
  class SymContext;
  class BodyContext;
  class VtypeContext;
  class TypeBodyContext;
  class ScalartypeContext;
  class ArraytypeContext;
  class ArrayAttrContext;
  class TupletypeContext;
  class DomaintypeContext;
  class FntypeContext;
  class FntypePartContext;
  class VoidtypeContext;
  class NulltypeContext;
  class StatementContext;
  class StatementBodyContext;
  class AssignstmtContext;
  class LhsContext;
  class RhsContext;
  class StmtlistContext;
  class StmtlistAttrContext;
  class ForstmtContext;
  class ItervarsContext;
  class SymrefContext;
  class LoopdomainContext;
  class PforstmtContext;
  class PforAttrContext;
  class PforPartContext;
  class WhilestmtContext;
  class TestContext;
  class IfstmtContext;
  class IfBodyContext;
  class ElseBodyContext;
  class BreakstmtContext;
  class ContinuestmtContext;
  class ReturnstmtContext;
  class RaisestmtContext;
  class RaiseAttrContext;
  class ExprstmtContext;
  class ExprContext;
  class ExprBodyContext;
  class BinaryContext;
  class LhsOperandContext;
  class RhsOperandContext;
  class LogicContext;
  class OperandContext;
  class UnaryContext;
  class UnaryplusContext;
  class NameContext;
  class RealconstContext;
  class ComplexconstContext;
  class ComplexAttrContext;
  class IndexexprContext;
  class IndexAttrContext;
  class IndicesContext;
  class AindexContext;
  class AindexAttrContext;
  class FncallContext;
  class FnhandleContext;
  class LibcallContext;
  class AllocContext;
  class ArgsContext;
  class DimContext;
  class DimAttrContext;
  class DimvecContext;
  class TupleContext;
  class ElemsContext;
  class TupleindexContext;
  class TupleindexAttrContext;
  class ComplexexprContext;
  class RealexprContext;
  class ImagexprContext;
  class RangeContext;
  class RangePartContext;
  class DomainContext;
  class DomainRangeContext;
  class XchangeContext;
  class XchangeAttrContext;
  class BoolvalContext;
  class NumberContext;
  class TextContext;
  class WordContext; 

  class  ModuleContext : public antlr4::ParserRuleContext {
  public:
    ModuleContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<antlr4::tree::TerminalNode *> Lp();
    antlr4::tree::TerminalNode* Lp(size_t i);
    antlr4::tree::TerminalNode *ModuleTok();
    antlr4::tree::TerminalNode *FnsTok();
    std::vector<antlr4::tree::TerminalNode *> Rp();
    antlr4::tree::TerminalNode* Rp(size_t i);
    antlr4::tree::TerminalNode *EOF();
    std::vector<ModuleAttrContext *> moduleAttr();
    ModuleAttrContext* moduleAttr(size_t i);
    std::vector<FunctionContext *> function();
    FunctionContext* function(size_t i);

   
  };

  ModuleContext* module();

  class  ModuleAttrContext : public antlr4::ParserRuleContext {
  public:
    ModuleAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrName();
    ModuleNameContext *moduleName();
    antlr4::tree::TerminalNode *AttrIndexing();
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *AttrExclude();
    BoolvalContext *boolval();
    antlr4::tree::TerminalNode *AttrFlatten();
    antlr4::tree::TerminalNode *AttrGrow();
    antlr4::tree::TerminalNode *AttrAssign();
    TextContext *text();
    antlr4::tree::TerminalNode *AttrSlices();
    antlr4::tree::TerminalNode *AttrNan();
    antlr4::tree::TerminalNode *AttrMemory();
    antlr4::tree::TerminalNode *AttrMindims();
    antlr4::tree::TerminalNode *AttrFastmath();
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    std::vector<WordContext *> word();
    WordContext* word(size_t i);
    antlr4::tree::TerminalNode *AttrBroadcast();
    antlr4::tree::TerminalNode *AttrPromote();
    antlr4::tree::TerminalNode *AttrOverflow();
    antlr4::tree::TerminalNode *AttrVrir();

   
  };

  ModuleAttrContext* moduleAttr();

  class  ModuleNameContext : public antlr4::ParserRuleContext {
  public:
    ModuleNameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    TextContext *text();
    antlr4::tree::TerminalNode *ModuleText();

   
  };

  ModuleNameContext* moduleName();

  class  FunctionContext : public antlr4::ParserRuleContext {
  public:
    FunctionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    antlr4::tree::TerminalNode *FunctionTok();
    TextContext *text();
    VtypeContext *vtype();
    ArglistContext *arglist();
    BodyContext *body();
    SymtableContext *symtable();
    antlr4::tree::TerminalNode *ExternTok();
    std::vector<LocAttrContext *> locAttr();
    LocAttrContext* locAttr(size_t i);
    antlr4::tree::TerminalNode *AttrName();
    antlr4::tree::TerminalNode *AttrParallel();
    BoolvalContext *boolval();

   
  };

  FunctionContext* function();

  class  LocAttrContext : public antlr4::ParserRuleContext {
  public:
    LocAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrLoc();
    TextContext *text();

   
  };

  LocAttrContext* locAttr();

  class  ArglistContext : public antlr4::ParserRuleContext {
  public:
    ArglistContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *ArglistTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<FnargContext *> fnarg();
    FnargContext* fnarg(size_t i);

   
  };

  ArglistContext* arglist();

  class  FnargContext : public antlr4::ParserRuleContext {
  public:
    FnargContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *ArgTok();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *Rp();

   
  };

  FnargContext* fnarg();

  class  SymtableContext : public antlr4::ParserRuleContext {
  public:
    SymtableContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *SymtableTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<SymContext *> sym();
    SymContext* sym(size_t i);

   
  };

  SymtableContext* symtable();

  class  SymContext : public antlr4::ParserRuleContext {
  public:
    SymContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *SymTok();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *AttrName();
    TextContext *text();
    VtypeContext *vtype();
    antlr4::tree::TerminalNode *Rp();

   
  };

  SymContext* sym();

  class  BodyContext : public antlr4::ParserRuleContext {
  public:
    BodyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *BodyTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<StatementContext *> statement();
    StatementContext* statement(size_t i);

   
  };

  BodyContext* body();

  class  VtypeContext : public antlr4::ParserRuleContext {
  public:
    VtypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *VoidTok();
    antlr4::tree::TerminalNode *Lp();
    TypeBodyContext *typeBody();
    antlr4::tree::TerminalNode *Rp();

   
  };

  VtypeContext* vtype();

  class  TypeBodyContext : public antlr4::ParserRuleContext {
  public:
    TypeBodyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    ScalartypeContext *scalartype();
    ArraytypeContext *arraytype();
    TupletypeContext *tupletype();
    DomaintypeContext *domaintype();
    FntypeContext *fntype();
    VoidtypeContext *voidtype();
    NulltypeContext *nulltype();

   
  };

  TypeBodyContext* typeBody();

  class  ScalartypeContext : public antlr4::ParserRuleContext {
  public:
    ScalartypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Int8Tok();
    antlr4::tree::TerminalNode *Int16Tok();
    antlr4::tree::TerminalNode *Int32Tok();
    antlr4::tree::TerminalNode *Int64Tok();
    antlr4::tree::TerminalNode *Uint8Tok();
    antlr4::tree::TerminalNode *Uint16Tok();
    antlr4::tree::TerminalNode *Uint32Tok();
    antlr4::tree::TerminalNode *Uint64Tok();
    antlr4::tree::TerminalNode *Float16Tok();
    antlr4::tree::TerminalNode *Bfloat16Tok();
    antlr4::tree::TerminalNode *Float32Tok();
    antlr4::tree::TerminalNode *Float64Tok();
    antlr4::tree::TerminalNode *BoolTok();
    antlr4::tree::TerminalNode *AttrCtype();
    antlr4::tree::TerminalNode *Intval();

   
  };

  ScalartypeContext* scalartype();

  class  ArraytypeContext : public antlr4::ParserRuleContext {
  public:
    ArraytypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ArrayTypeTok();
    VtypeContext *vtype();
    std::vector<ArrayAttrContext *> arrayAttr();
    ArrayAttrContext* arrayAttr(size_t i);

   
  };

  ArraytypeContext* arraytype();

  class  ArrayAttrContext : public antlr4::ParserRuleContext {
  public:
    ArrayAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrLayout();
    TextContext *text();
    antlr4::tree::TerminalNode *AttrNdims();
    antlr4::tree::TerminalNode *Intval();

   
  };

  ArrayAttrContext* arrayAttr();

  class  TupletypeContext : public antlr4::ParserRuleContext {
  public:
    TupletypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TupleTypeTok();
    std::vector<VtypeContext *> vtype();
    VtypeContext* vtype(size_t i);

   
  };

  TupletypeContext* tupletype();

  class  DomaintypeContext : public antlr4::ParserRuleContext {
  public:
    DomaintypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DomainTypeTok();
    antlr4::tree::TerminalNode *AttrNdims();
    antlr4::tree::TerminalNode *Intval();
    std::vector<VtypeContext *> vtype();
    VtypeContext* vtype(size_t i);

   
  };

  DomaintypeContext* domaintype();

  class  FntypeContext : public antlr4::ParserRuleContext {
  public:
    FntypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *FnTypeTok();
    std::vector<FntypePartContext *> fntypePart();
    FntypePartContext* fntypePart(size_t i);

   
  };

  FntypeContext* fntype();

  class  FntypePartContext : public antlr4::ParserRuleContext {
  public:
    FntypePartContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    antlr4::tree::TerminalNode *IntypesTok();
    antlr4::tree::TerminalNode *OuttypesTok();
    TypeBodyContext *typeBody();
    std::vector<VtypeContext *> vtype();
    VtypeContext* vtype(size_t i);

   
  };

  FntypePartContext* fntypePart();

  class  VoidtypeContext : public antlr4::ParserRuleContext {
  public:
    VoidtypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *VoidTok();
    antlr4::tree::TerminalNode *VtypeTok();
    antlr4::tree::TerminalNode *AttrName();

   
  };

  VoidtypeContext* voidtype();

  class  NulltypeContext : public antlr4::ParserRuleContext {
  public:
    NulltypeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NullTok();
    antlr4::tree::TerminalNode *AttrCtype();
    antlr4::tree::TerminalNode *Intval();

   
  };

  NulltypeContext* nulltype();

  class  StatementContext : public antlr4::ParserRuleContext {
  public:
    StatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    StatementBodyContext *statementBody();
    antlr4::tree::TerminalNode *Rp();

   
  };

  StatementContext* statement();

  class  StatementBodyContext : public antlr4::ParserRuleContext {
  public:
    StatementBodyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    AssignstmtContext *assignstmt();
    StmtlistContext *stmtlist();
    ForstmtContext *forstmt();
    PforstmtContext *pforstmt();
    WhilestmtContext *whilestmt();
    IfstmtContext *ifstmt();
    BreakstmtContext *breakstmt();
    ContinuestmtContext *continuestmt();
    ReturnstmtContext *returnstmt();
    RaisestmtContext *raisestmt();
    ExprstmtContext *exprstmt();

   
  };

  StatementBodyContext* statementBody();

  class  AssignstmtContext : public antlr4::ParserRuleContext {
  public:
    AssignstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AssignstmtTok();
    LhsContext *lhs();
    RhsContext *rhs();
    LocAttrContext *locAttr();

   
  };

  AssignstmtContext* assignstmt();

  class  LhsContext : public antlr4::ParserRuleContext {
  public:
    LhsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *LhsTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<ExprContext *> expr();
    ExprContext* expr(size_t i);

   
  };

  LhsContext* lhs();

  class  RhsContext : public antlr4::ParserRuleContext {
  public:
    RhsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *RhsTok();
    antlr4::tree::TerminalNode *Rp();
    ExprContext *expr();

   
  };

  RhsContext* rhs();

  class  StmtlistContext : public antlr4::ParserRuleContext {
  public:
    StmtlistContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *StmtlistTok();
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *StmtsTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<StmtlistAttrContext *> stmtlistAttr();
    StmtlistAttrContext* stmtlistAttr(size_t i);
    std::vector<StatementContext *> statement();
    StatementContext* statement(size_t i);

   
  };

  StmtlistContext* stmtlist();

  class  StmtlistAttrContext : public antlr4::ParserRuleContext {
  public:
    StmtlistAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrOnGpu();
    BoolvalContext *boolval();
    LocAttrContext *locAttr();

   
  };

  StmtlistAttrContext* stmtlistAttr();

  class  ForstmtContext : public antlr4::ParserRuleContext {
  public:
    ForstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ForstmtTok();
    ItervarsContext *itervars();
    LoopdomainContext *loopdomain();
    BodyContext *body();
    LocAttrContext *locAttr();

   
  };

  ForstmtContext* forstmt();

  class  ItervarsContext : public antlr4::ParserRuleContext {
  public:
    ItervarsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *ItervarsTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<SymrefContext *> symref();
    SymrefContext* symref(size_t i);

   
  };

  ItervarsContext* itervars();

  class  SymrefContext : public antlr4::ParserRuleContext {
  public:
    SymrefContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *SymTok();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *Rp();

   
  };

  SymrefContext* symref();

  class  LoopdomainContext : public antlr4::ParserRuleContext {
  public:
    LoopdomainContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *LoopDomainTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *Rp();

   
  };

  LoopdomainContext* loopdomain();

  class  PforstmtContext : public antlr4::ParserRuleContext {
  public:
    PforstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *PforstmtTok();
    ItervarsContext *itervars();
    LoopdomainContext *loopdomain();
    std::vector<PforAttrContext *> pforAttr();
    PforAttrContext* pforAttr(size_t i);
    std::vector<PforPartContext *> pforPart();
    PforPartContext* pforPart(size_t i);

   
  };

  PforstmtContext* pforstmt();

  class  PforAttrContext : public antlr4::ParserRuleContext {
  public:
    PforAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrShared();
    antlr4::tree::TerminalNode *AutoTok();
    LocAttrContext *locAttr();

   
  };

  PforAttrContext* pforAttr();

  class  PforPartContext : public antlr4::ParserRuleContext {
  public:
    PforPartContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    antlr4::tree::TerminalNode *SharedTok();
    antlr4::tree::TerminalNode *BodyTok();
    antlr4::tree::TerminalNode *AutoTok();
    std::vector<StatementContext *> statement();
    StatementContext* statement(size_t i);
    std::vector<SymrefContext *> symref();
    SymrefContext* symref(size_t i);

   
  };

  PforPartContext* pforPart();

  class  WhilestmtContext : public antlr4::ParserRuleContext {
  public:
    WhilestmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *WhilestmtTok();
    TestContext *test();
    BodyContext *body();
    LocAttrContext *locAttr();

   
  };

  WhilestmtContext* whilestmt();

  class  TestContext : public antlr4::ParserRuleContext {
  public:
    TestContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *TestTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *Rp();

   
  };

  TestContext* test();

  class  IfstmtContext : public antlr4::ParserRuleContext {
  public:
    IfstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IfstmtTok();
    TestContext *test();
    IfBodyContext *ifBody();
    LocAttrContext *locAttr();
    ElseBodyContext *elseBody();

   
  };

  IfstmtContext* ifstmt();

  class  IfBodyContext : public antlr4::ParserRuleContext {
  public:
    IfBodyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *IfTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<StatementContext *> statement();
    StatementContext* statement(size_t i);

   
  };

  IfBodyContext* ifBody();

  class  ElseBodyContext : public antlr4::ParserRuleContext {
  public:
    ElseBodyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *ElseTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<StatementContext *> statement();
    StatementContext* statement(size_t i);

   
  };

  ElseBodyContext* elseBody();

  class  BreakstmtContext : public antlr4::ParserRuleContext {
  public:
    BreakstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *BreakTok();
    LocAttrContext *locAttr();

   
  };

  BreakstmtContext* breakstmt();

  class  ContinuestmtContext : public antlr4::ParserRuleContext {
  public:
    ContinuestmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ContinueTok();
    LocAttrContext *locAttr();

   
  };

  ContinuestmtContext* continuestmt();

  class  ReturnstmtContext : public antlr4::ParserRuleContext {
  public:
    ReturnstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ReturnstmtTok();
    LocAttrContext *locAttr();
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *ExprsTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<ExprContext *> expr();
    ExprContext* expr(size_t i);

   
  };

  ReturnstmtContext* returnstmt();

  class  RaisestmtContext : public antlr4::ParserRuleContext {
  public:
    RaisestmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *RaiseTok();
    std::vector<RaiseAttrContext *> raiseAttr();
    RaiseAttrContext* raiseAttr(size_t i);
    ArgsContext *args();

   
  };

  RaisestmtContext* raisestmt();

  class  RaiseAttrContext : public antlr4::ParserRuleContext {
  public:
    RaiseAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrCode();
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *AttrText();
    TextContext *text();
    LocAttrContext *locAttr();

   
  };

  RaiseAttrContext* raiseAttr();

  class  ExprstmtContext : public antlr4::ParserRuleContext {
  public:
    ExprstmtContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ExprstmtTok();
    ExprContext *expr();
    LocAttrContext *locAttr();

   
  };

  ExprstmtContext* exprstmt();

  class  ExprContext : public antlr4::ParserRuleContext {
  public:
    ExprContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    ExprBodyContext *exprBody();
    antlr4::tree::TerminalNode *Rp();

   
  };

  ExprContext* expr();

  class  ExprBodyContext : public antlr4::ParserRuleContext {
  public:
    ExprBodyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    BinaryContext *binary();
    LogicContext *logic();
    UnaryContext *unary();
    NameContext *name();
    RealconstContext *realconst();
    ComplexconstContext *complexconst();
    IndexexprContext *indexexpr();
    FncallContext *fncall();
    FnhandleContext *fnhandle();
    LibcallContext *libcall();
    AllocContext *alloc();
    DimContext *dim();
    DimvecContext *dimvec();
    TupleContext *tuple();
    TupleindexContext *tupleindex();
    ComplexexprContext *complexexpr();
    RealexprContext *realexpr();
    ImagexprContext *imagexpr();
    RangeContext *range();
    DomainContext *domain();
    XchangeContext *xchange();
    UnaryplusContext *unaryplus();

   
  };

  ExprBodyContext* exprBody();

  class  BinaryContext : public antlr4::ParserRuleContext {
  public:
    BinaryContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    VtypeContext *vtype();
    LhsOperandContext *lhsOperand();
    RhsOperandContext *rhsOperand();
    antlr4::tree::TerminalNode *PlusTok();
    antlr4::tree::TerminalNode *MinusTok();
    antlr4::tree::TerminalNode *MultTok();
    antlr4::tree::TerminalNode *DivTok();
    antlr4::tree::TerminalNode *LtTok();
    antlr4::tree::TerminalNode *LeqTok();
    antlr4::tree::TerminalNode *GtTok();
    antlr4::tree::TerminalNode *GeqTok();
    antlr4::tree::TerminalNode *EqTok();
    antlr4::tree::TerminalNode *NeqTok();

   
  };

  BinaryContext* binary();

  class  LhsOperandContext : public antlr4::ParserRuleContext {
  public:
    LhsOperandContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *LhsTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *Rp();

   
  };

  LhsOperandContext* lhsOperand();

  class  RhsOperandContext : public antlr4::ParserRuleContext {
  public:
    RhsOperandContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *RhsTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *Rp();

   
  };

  RhsOperandContext* rhsOperand();

  class  LogicContext : public antlr4::ParserRuleContext {
  public:
    LogicContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    VtypeContext *vtype();
    std::vector<OperandContext *> operand();
    OperandContext* operand(size_t i);
    antlr4::tree::TerminalNode *AndTok();
    antlr4::tree::TerminalNode *OrTok();

   
  };

  LogicContext* logic();

  class  OperandContext : public antlr4::ParserRuleContext {
  public:
    OperandContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    antlr4::tree::TerminalNode *LhsTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *RhsTok();
    ExprBodyContext *exprBody();

   
  };

  OperandContext* operand();

  class  UnaryContext : public antlr4::ParserRuleContext {
  public:
    UnaryContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    VtypeContext *vtype();
    ExprContext *expr();
    antlr4::tree::TerminalNode *NotTok();
    antlr4::tree::TerminalNode *NegateTok();
    antlr4::tree::TerminalNode *CastTok();

   
  };

  UnaryContext* unary();

  class  UnaryplusContext : public antlr4::ParserRuleContext {
  public:
    UnaryplusContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    VtypeContext *vtype();
    ExprContext *expr();

   
  };

  UnaryplusContext* unaryplus();

  class  NameContext : public antlr4::ParserRuleContext {
  public:
    NameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NameTok();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *Intval();
    VtypeContext *vtype();

   
  };

  NameContext* name();

  class  RealconstContext : public antlr4::ParserRuleContext {
  public:
    RealconstContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *RealConstTok();
    VtypeContext *vtype();
    antlr4::tree::TerminalNode *AttrIval();
    antlr4::tree::TerminalNode *Intval();
    NumberContext *number();
    antlr4::tree::TerminalNode *AttrDval();
    antlr4::tree::TerminalNode *AttrFval();

   
  };

  RealconstContext* realconst();

  class  ComplexconstContext : public antlr4::ParserRuleContext {
  public:
    ComplexconstContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ComplexConstTok();
    VtypeContext *vtype();
    std::vector<ComplexAttrContext *> complexAttr();
    ComplexAttrContext* complexAttr(size_t i);

   
  };

  ComplexconstContext* complexconst();

  class  ComplexAttrContext : public antlr4::ParserRuleContext {
  public:
    ComplexAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    NumberContext *number();
    antlr4::tree::TerminalNode *AttrRe();
    antlr4::tree::TerminalNode *AttrIm();

   
  };

  ComplexAttrContext* complexAttr();

  class  IndexexprContext : public antlr4::ParserRuleContext {
  public:
    IndexexprContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IndexTok();
    VtypeContext *vtype();
    IndicesContext *indices();
    std::vector<IndexAttrContext *> indexAttr();
    IndexAttrContext* indexAttr(size_t i);

   
  };

  IndexexprContext* indexexpr();

  class  IndexAttrContext : public antlr4::ParserRuleContext {
  public:
    IndexAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrArrayid();
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *AttrCopyslice();
    BoolvalContext *boolval();
    antlr4::tree::TerminalNode *AttrFlatten();
    antlr4::tree::TerminalNode *AttrGrow();

   
  };

  IndexAttrContext* indexAttr();

  class  IndicesContext : public antlr4::ParserRuleContext {
  public:
    IndicesContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *IndicesTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<AindexContext *> aindex();
    AindexContext* aindex(size_t i);

   
  };

  IndicesContext* indices();

  class  AindexContext : public antlr4::ParserRuleContext {
  public:
    AindexContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *IndexTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *Rp();
    std::vector<AindexAttrContext *> aindexAttr();
    AindexAttrContext* aindexAttr(size_t i);

   
  };

  AindexContext* aindex();

  class  AindexAttrContext : public antlr4::ParserRuleContext {
  public:
    AindexAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    BoolvalContext *boolval();
    antlr4::tree::TerminalNode *AttrBoundscheck();
    antlr4::tree::TerminalNode *AttrNegative();
    antlr4::tree::TerminalNode *AttrMinBounds();
    antlr4::tree::TerminalNode *AttrMaxBounds();
    antlr4::tree::TerminalNode *AttrGrow();

   
  };

  AindexAttrContext* aindexAttr();

  class  FncallContext : public antlr4::ParserRuleContext {
  public:
    FncallContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *FncallTok();
    antlr4::tree::TerminalNode *AttrFnname();
    TextContext *text();
    VtypeContext *vtype();
    ArgsContext *args();

   
  };

  FncallContext* fncall();

  class  FnhandleContext : public antlr4::ParserRuleContext {
  public:
    FnhandleContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *FnhandleTok();
    antlr4::tree::TerminalNode *AttrFnname();
    TextContext *text();
    VtypeContext *vtype();

   
  };

  FnhandleContext* fnhandle();

  class  LibcallContext : public antlr4::ParserRuleContext {
  public:
    LibcallContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LibcallTok();
    antlr4::tree::TerminalNode *AttrLibfunc();
    TextContext *text();
    VtypeContext *vtype();
    ArgsContext *args();

   
  };

  LibcallContext* libcall();

  class  AllocContext : public antlr4::ParserRuleContext {
  public:
    AllocContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AllocTok();
    antlr4::tree::TerminalNode *AttrFunc();
    TextContext *text();
    VtypeContext *vtype();
    ArgsContext *args();

   
  };

  AllocContext* alloc();

  class  ArgsContext : public antlr4::ParserRuleContext {
  public:
    ArgsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *ArgsTok();
    antlr4::tree::TerminalNode *Rp();
    std::vector<ExprContext *> expr();
    ExprContext* expr(size_t i);

   
  };

  ArgsContext* args();

  class  DimContext : public antlr4::ParserRuleContext {
  public:
    DimContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DimTok();
    VtypeContext *vtype();
    std::vector<DimAttrContext *> dimAttr();
    DimAttrContext* dimAttr(size_t i);

   
  };

  DimContext* dim();

  class  DimAttrContext : public antlr4::ParserRuleContext {
  public:
    DimAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *AttrArrayid();
    antlr4::tree::TerminalNode *AttrDimid();

   
  };

  DimAttrContext* dimAttr();

  class  DimvecContext : public antlr4::ParserRuleContext {
  public:
    DimvecContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DimvecTok();
    antlr4::tree::TerminalNode *Intval();
    VtypeContext *vtype();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *AttrArrayid();

   
  };

  DimvecContext* dimvec();

  class  TupleContext : public antlr4::ParserRuleContext {
  public:
    TupleContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TupleTok();
    VtypeContext *vtype();
    ElemsContext *elems();

   
  };

  TupleContext* tuple();

  class  ElemsContext : public antlr4::ParserRuleContext {
  public:
    ElemsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    antlr4::tree::TerminalNode *ElemsTok();
    antlr4::tree::TerminalNode *ElmsTok();
    std::vector<ExprContext *> expr();
    ExprContext* expr(size_t i);

   
  };

  ElemsContext* elems();

  class  TupleindexContext : public antlr4::ParserRuleContext {
  public:
    TupleindexContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TupleIndexTok();
    VtypeContext *vtype();
    std::vector<TupleindexAttrContext *> tupleindexAttr();
    TupleindexAttrContext* tupleindexAttr(size_t i);

   
  };

  TupleindexContext* tupleindex();

  class  TupleindexAttrContext : public antlr4::ParserRuleContext {
  public:
    TupleindexAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *AttrIndex();
    antlr4::tree::TerminalNode *AttrTupleid();

   
  };

  TupleindexAttrContext* tupleindexAttr();

  class  ComplexexprContext : public antlr4::ParserRuleContext {
  public:
    ComplexexprContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ComplexTok();
    VtypeContext *vtype();
    std::vector<ExprContext *> expr();
    ExprContext* expr(size_t i);

   
  };

  ComplexexprContext* complexexpr();

  class  RealexprContext : public antlr4::ParserRuleContext {
  public:
    RealexprContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *RealTok();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *Intval();
    VtypeContext *vtype();

   
  };

  RealexprContext* realexpr();

  class  ImagexprContext : public antlr4::ParserRuleContext {
  public:
    ImagexprContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ImagTok();
    antlr4::tree::TerminalNode *AttrId();
    antlr4::tree::TerminalNode *Intval();
    VtypeContext *vtype();

   
  };

  ImagexprContext* imagexpr();

  class  RangeContext : public antlr4::ParserRuleContext {
  public:
    RangeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *RangeTok();
    antlr4::tree::TerminalNode *AttrExclude();
    BoolvalContext *boolval();
    std::vector<RangePartContext *> rangePart();
    RangePartContext* rangePart(size_t i);

   
  };

  RangeContext* range();

  class  RangePartContext : public antlr4::ParserRuleContext {
  public:
    RangePartContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    antlr4::tree::TerminalNode *Rp();
    antlr4::tree::TerminalNode *StartTok();
    ExprContext *expr();
    antlr4::tree::TerminalNode *StepTok();
    antlr4::tree::TerminalNode *StopTok();
    TypeBodyContext *typeBody();

   
  };

  RangePartContext* rangePart();

  class  DomainContext : public antlr4::ParserRuleContext {
  public:
    DomainContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DomainTok();
    VtypeContext *vtype();
    std::vector<DomainRangeContext *> domainRange();
    DomainRangeContext* domainRange(size_t i);

   
  };

  DomainContext* domain();

  class  DomainRangeContext : public antlr4::ParserRuleContext {
  public:
    DomainRangeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Lp();
    RangeContext *range();
    antlr4::tree::TerminalNode *Rp();

   
  };

  DomainRangeContext* domainRange();

  class  XchangeContext : public antlr4::ParserRuleContext {
  public:
    XchangeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *XchangeTok();
    VtypeContext *vtype();
    IndicesContext *indices();
    ArgsContext *args();
    std::vector<XchangeAttrContext *> xchangeAttr();
    XchangeAttrContext* xchangeAttr(size_t i);

   
  };

  XchangeContext* xchange();

  class  XchangeAttrContext : public antlr4::ParserRuleContext {
  public:
    XchangeAttrContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AttrOp();
    TextContext *text();
    antlr4::tree::TerminalNode *AttrArrayid();
    antlr4::tree::TerminalNode *Intval();

   
  };

  XchangeAttrContext* xchangeAttr();

  class  BoolvalContext : public antlr4::ParserRuleContext {
  public:
    BoolvalContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TrueTok();
    antlr4::tree::TerminalNode *FalseTok();

   
  };

  BoolvalContext* boolval();

  class  NumberContext : public antlr4::ParserRuleContext {
  public:
    NumberContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Floatval();
    antlr4::tree::TerminalNode *Intval();
    antlr4::tree::TerminalNode *InfTok();
    antlr4::tree::TerminalNode *NanTok();

   
  };

  NumberContext* number();

  class  TextContext : public antlr4::ParserRuleContext {
  public:
    TextContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    WordContext *word();
    antlr4::tree::TerminalNode *String();

   
  };

  TextContext* text();

  class  WordContext : public antlr4::ParserRuleContext {
  public:
    WordContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *Name();
    antlr4::tree::TerminalNode *InfTok();
    antlr4::tree::TerminalNode *NanTok();
    antlr4::tree::TerminalNode *ModuleTok();
    antlr4::tree::TerminalNode *FnsTok();
    antlr4::tree::TerminalNode *FunctionTok();
    antlr4::tree::TerminalNode *ExternTok();
    antlr4::tree::TerminalNode *ArglistTok();
    antlr4::tree::TerminalNode *ArgTok();
    antlr4::tree::TerminalNode *SymtableTok();
    antlr4::tree::TerminalNode *SymTok();
    antlr4::tree::TerminalNode *BodyTok();
    antlr4::tree::TerminalNode *VoidTok();
    antlr4::tree::TerminalNode *VtypeTok();
    antlr4::tree::TerminalNode *NullTok();
    antlr4::tree::TerminalNode *Int8Tok();
    antlr4::tree::TerminalNode *Int16Tok();
    antlr4::tree::TerminalNode *Int32Tok();
    antlr4::tree::TerminalNode *Int64Tok();
    antlr4::tree::TerminalNode *Uint8Tok();
    antlr4::tree::TerminalNode *Uint16Tok();
    antlr4::tree::TerminalNode *Uint32Tok();
    antlr4::tree::TerminalNode *Uint64Tok();
    antlr4::tree::TerminalNode *Float16Tok();
    antlr4::tree::TerminalNode *Bfloat16Tok();
    antlr4::tree::TerminalNode *Float32Tok();
    antlr4::tree::TerminalNode *Float64Tok();
    antlr4::tree::TerminalNode *BoolTok();
    antlr4::tree::TerminalNode *ArrayTypeTok();
    antlr4::tree::TerminalNode *TupleTypeTok();
    antlr4::tree::TerminalNode *DomainTypeTok();
    antlr4::tree::TerminalNode *FnTypeTok();
    antlr4::tree::TerminalNode *IntypesTok();
    antlr4::tree::TerminalNode *OuttypesTok();
    antlr4::tree::TerminalNode *AssignstmtTok();
    antlr4::tree::TerminalNode *StmtlistTok();
    antlr4::tree::TerminalNode *ForstmtTok();
    antlr4::tree::TerminalNode *PforstmtTok();
    antlr4::tree::TerminalNode *WhilestmtTok();
    antlr4::tree::TerminalNode *IfstmtTok();
    antlr4::tree::TerminalNode *BreakTok();
    antlr4::tree::TerminalNode *ContinueTok();
    antlr4::tree::TerminalNode *ReturnstmtTok();
    antlr4::tree::TerminalNode *RaiseTok();
    antlr4::tree::TerminalNode *ExprstmtTok();
    antlr4::tree::TerminalNode *LhsTok();
    antlr4::tree::TerminalNode *RhsTok();
    antlr4::tree::TerminalNode *StmtsTok();
    antlr4::tree::TerminalNode *ItervarsTok();
    antlr4::tree::TerminalNode *LoopDomainTok();
    antlr4::tree::TerminalNode *SharedTok();
    antlr4::tree::TerminalNode *AutoTok();
    antlr4::tree::TerminalNode *TestTok();
    antlr4::tree::TerminalNode *IfTok();
    antlr4::tree::TerminalNode *ElseTok();
    antlr4::tree::TerminalNode *ExprsTok();
    antlr4::tree::TerminalNode *PlusTok();
    antlr4::tree::TerminalNode *MinusTok();
    antlr4::tree::TerminalNode *MultTok();
    antlr4::tree::TerminalNode *DivTok();
    antlr4::tree::TerminalNode *LtTok();
    antlr4::tree::TerminalNode *LeqTok();
    antlr4::tree::TerminalNode *GtTok();
    antlr4::tree::TerminalNode *GeqTok();
    antlr4::tree::TerminalNode *EqTok();
    antlr4::tree::TerminalNode *NeqTok();
    antlr4::tree::TerminalNode *AndTok();
    antlr4::tree::TerminalNode *OrTok();
    antlr4::tree::TerminalNode *NotTok();
    antlr4::tree::TerminalNode *NegateTok();
    antlr4::tree::TerminalNode *CastTok();
    antlr4::tree::TerminalNode *NameTok();
    antlr4::tree::TerminalNode *RealConstTok();
    antlr4::tree::TerminalNode *ComplexConstTok();
    antlr4::tree::TerminalNode *IndexTok();
    antlr4::tree::TerminalNode *IndicesTok();
    antlr4::tree::TerminalNode *FncallTok();
    antlr4::tree::TerminalNode *FnhandleTok();
    antlr4::tree::TerminalNode *LibcallTok();
    antlr4::tree::TerminalNode *ArgsTok();
    antlr4::tree::TerminalNode *AllocTok();
    antlr4::tree::TerminalNode *DimTok();
    antlr4::tree::TerminalNode *DimvecTok();
    antlr4::tree::TerminalNode *TupleTok();
    antlr4::tree::TerminalNode *ElemsTok();
    antlr4::tree::TerminalNode *ElmsTok();
    antlr4::tree::TerminalNode *TupleIndexTok();
    antlr4::tree::TerminalNode *ComplexTok();
    antlr4::tree::TerminalNode *RealTok();
    antlr4::tree::TerminalNode *ImagTok();
    antlr4::tree::TerminalNode *RangeTok();
    antlr4::tree::TerminalNode *StartTok();
    antlr4::tree::TerminalNode *StepTok();
    antlr4::tree::TerminalNode *StopTok();
    antlr4::tree::TerminalNode *DomainTok();
    antlr4::tree::TerminalNode *XchangeTok();

   
  };

  WordContext* word();


private:
  static std::vector<antlr4::dfa::DFA> _decisionToDFA;
  static antlr4::atn::PredictionContextCache _sharedContextCache;
  static std::vector<std::string> _ruleNames;
  static std::vector<std::string> _tokenNames;

  static std::vector<std::string> _literalNames;
  static std::vector<std::string> _symbolicNames;
  static antlr4::dfa::Vocabulary _vocabulary;
  static antlr4::atn::ATN _atn;
  static std::vector<uint16_t> _serializedATN;


  struct Initializer {
    Initializer();
  };
  static Initializer _init;
};

