
// Generated from Vrir.g4 by ANTLR 4.7.2

#pragma once


#include "antlr4-runtime.h"




class  VrirLexer : public antlr4::Lexer {
public:
  enum {
    Lp = 1, Rp = 2, ModuleTok = 3, FnsTok = 4, FunctionTok = 5, ArglistTok = 6, 
    ArgTok = 7, SymtableTok = 8, SymTok = 9, BodyTok = 10, VoidTok = 11, 
    VtypeTok = 12, NullTok = 13, Int32Tok = 14, Int64Tok = 15, Float32Tok = 16, 
    Float64Tok = 17, BoolTok = 18, ArrayTypeTok = 19, TupleTypeTok = 20, 
    DomainTypeTok = 21, FnTypeTok = 22, IntypesTok = 23, OuttypesTok = 24, 
    AssignstmtTok = 25, StmtlistTok = 26, ForstmtTok = 27, PforstmtTok = 28, 
    WhilestmtTok = 29, IfstmtTok = 30, BreakTok = 31, ContinueTok = 32, 
    ReturnstmtTok = 33, ExprstmtTok = 34, LhsTok = 35, RhsTok = 36, StmtsTok = 37, 
    ItervarsTok = 38, LoopDomainTok = 39, SharedTok = 40, AutoTok = 41, 
    TestTok = 42, IfTok = 43, ElseTok = 44, ExprsTok = 45, PlusTok = 46, 
    MinusTok = 47, MultTok = 48, DivTok = 49, LtTok = 50, LeqTok = 51, GtTok = 52, 
    GeqTok = 53, EqTok = 54, NeqTok = 55, AndTok = 56, OrTok = 57, NotTok = 58, 
    NegateTok = 59, CastTok = 60, NameTok = 61, RealConstTok = 62, ComplexConstTok = 63, 
    IndexTok = 64, IndicesTok = 65, FncallTok = 66, FnhandleTok = 67, LibcallTok = 68, 
    ArgsTok = 69, AllocTok = 70, DimTok = 71, DimvecTok = 72, TupleTok = 73, 
    ElemsTok = 74, ElmsTok = 75, TupleIndexTok = 76, ComplexTok = 77, RealTok = 78, 
    ImagTok = 79, RangeTok = 80, StartTok = 81, StepTok = 82, StopTok = 83, 
    DomainTok = 84, XchangeTok = 85, InfTok = 86, NanTok = 87, AttrName = 88, 
    AttrIndexing = 89, AttrExclude = 90, AttrFlatten = 91, AttrGrow = 92, 
    AttrAssign = 93, AttrSlices = 94, AttrNan = 95, AttrMemory = 96, AttrMindims = 97, 
    AttrFastmath = 98, AttrBroadcast = 99, AttrVrir = 100, AttrLoc = 101, 
    AttrId = 102, AttrCtype = 103, AttrLayout = 104, AttrNdims = 105, AttrOnGpu = 106, 
    AttrShared = 107, AttrIval = 108, AttrDval = 109, AttrFval = 110, AttrRe = 111, 
    AttrIm = 112, AttrArrayid = 113, AttrCopyslice = 114, AttrBoundscheck = 115, 
    AttrNegative = 116, AttrMinBounds = 117, AttrMaxBounds = 118, AttrFnname = 119, 
    AttrLibfunc = 120, AttrFunc = 121, AttrDimid = 122, AttrIndex = 123, 
    AttrTupleid = 124, AttrOp = 125, AttrUnknown = 126, TrueTok = 127, FalseTok = 128, 
    Name = 129, Intval = 130, Floatval = 131, String = 132, Comment = 133, 
    WS = 134, Junk = 135
  };

  VrirLexer(antlr4::CharStream *input);
  ~VrirLexer();

  virtual std::string getGrammarFileName() const override;
  virtual const std::vector<std::string>& getRuleNames() const override;

  virtual const std::vector<std::string>& getChannelNames() const override;
  virtual const std::vector<std::string>& getModeNames() const override;
  virtual const std::vector<std::string>& getTokenNames() const override; // deprecated, use vocabulary instead
  virtual antlr4::dfa::Vocabulary& getVocabulary() const override;

  virtual const std::vector<uint16_t> getSerializedATN() const override;
  virtual const antlr4::atn::ATN& getATN() const override;

private:
  static std::vector<antlr4::dfa::DFA> _decisionToDFA;
  static antlr4::atn::PredictionContextCache _sharedContextCache;
  static std::vector<std::string> _ruleNames;
  static std::vector<std::string> _tokenNames;
  static std::vector<std::string> _channelNames;
  static std::vector<std::string> _modeNames;

  static std::vector<std::string> _literalNames;
  static std::vector<std::string> _symbolicNames;
  static antlr4::dfa::Vocabulary _vocabulary;
  static antlr4::atn::ATN _atn;
  static std::vector<uint16_t> _serializedATN;


  // Individual action functions triggered by action() above.

  // Individual semantic predicate functions triggered by sempred() above.

  struct Initializer {
    Initializer();
  };
  static Initializer _init;
};

