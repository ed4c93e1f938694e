
// Generated from Vrir.g4 by ANTLR 4.7.2

#pragma once


#include "antlr4-runtime.h"




class  VrirLexer : public antlr4::Lexer {
public:
  enum {
    Lp = 1, Rp = 2, ModuleTok = 3, FnsTok = 4, FunctionTok = 5, ArglistTok = 6, 
    ArgTok = 7, SymtableTok = 8, SymTok = 9, BodyTok = 10, VoidTok = 11, 
    VtypeTok = 12, NullTok = 13, Int8Tok = 14, Int16Tok = 15, Int32Tok = 16, 
    Int64Tok = 17, Uint8Tok = 18, Uint16Tok = 19, Uint32Tok = 20, Uint64Tok = 21, 
    Float32Tok = 22, Float64Tok = 23, BoolTok = 24, ArrayTypeTok = 25, TupleTypeTok = 26, 
    DomainTypeTok = 27, FnTypeTok = 28, IntypesTok = 29, OuttypesTok = 30, 
    AssignstmtTok = 31, StmtlistTok = 32, ForstmtTok = 33, PforstmtTok = 34, 
    WhilestmtTok = 35, IfstmtTok = 36, BreakTok = 37, ContinueTok = 38, 
    ReturnstmtTok = 39, ExprstmtTok = 40, LhsTok = 41, RhsTok = 42, StmtsTok = 43, 
    ItervarsTok = 44, LoopDomainTok = 45, SharedTok = 46, AutoTok = 47, 
    TestTok = 48, IfTok = 49, ElseTok = 50, ExprsTok = 51, PlusTok = 52, 
    MinusTok = 53, MultTok = 54, DivTok = 55, LtTok = 56, LeqTok = 57, GtTok = 58, 
    GeqTok = 59, EqTok = 60, NeqTok = 61, AndTok = 62, OrTok = 63, NotTok = 64, 
    NegateTok = 65, CastTok = 66, NameTok = 67, RealConstTok = 68, ComplexConstTok = 69, 
    IndexTok = 70, IndicesTok = 71, FncallTok = 72, FnhandleTok = 73, LibcallTok = 74, 
    ArgsTok = 75, AllocTok = 76, DimTok = 77, DimvecTok = 78, TupleTok = 79, 
    ElemsTok = 80, ElmsTok = 81, TupleIndexTok = 82, ComplexTok = 83, RealTok = 84, 
    ImagTok = 85, RangeTok = 86, StartTok = 87, StepTok = 88, StopTok = 89, 
    DomainTok = 90, XchangeTok = 91, InfTok = 92, NanTok = 93, AttrName = 94, 
    AttrIndexing = 95, AttrExclude = 96, AttrFlatten = 97, AttrGrow = 98, 
    AttrAssign = 99, AttrSlices = 100, AttrNan = 101, AttrMemory = 102, 
    AttrMindims = 103, AttrFastmath = 104, AttrBroadcast = 105, AttrPromote = 106, 
    AttrVrir = 107, AttrLoc = 108, AttrId = 109, AttrCtype = 110, AttrLayout = 111, 
    AttrNdims = 112, AttrOnGpu = 113, AttrShared = 114, AttrIval = 115, 
    AttrDval = 116, AttrFval = 117, AttrRe = 118, AttrIm = 119, AttrArrayid = 120, 
    AttrCopyslice = 121, AttrBoundscheck = 122, AttrNegative = 123, AttrMinBounds = 124, 
    AttrMaxBounds = 125, AttrFnname = 126, AttrLibfunc = 127, AttrFunc = 128, 
    AttrDimid = 129, AttrIndex = 130, AttrTupleid = 131, AttrOp = 132, AttrUnknown = 133, 
    TrueTok = 134, FalseTok = 135, Name = 136, Intval = 137, Floatval = 138, 
    String = 139, Comment = 140, WS = 141, Junk = 142
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

