
// Generated from Vrir.g4 by ANTLR 4.7.2

#pragma once


#include "antlr4-runtime.h"




class  VrirLexer : public antlr4::Lexer {
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
    WS = 149, Junk = 150
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

