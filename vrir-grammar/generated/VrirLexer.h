
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
    Uint64Tok = 22, Float32Tok = 23, Float64Tok = 24, BoolTok = 25, ArrayTypeTok = 26, 
    TupleTypeTok = 27, DomainTypeTok = 28, FnTypeTok = 29, IntypesTok = 30, 
    OuttypesTok = 31, AssignstmtTok = 32, StmtlistTok = 33, ForstmtTok = 34, 
    PforstmtTok = 35, WhilestmtTok = 36, IfstmtTok = 37, BreakTok = 38, 
    ContinueTok = 39, ReturnstmtTok = 40, RaiseTok = 41, ExprstmtTok = 42, 
    LhsTok = 43, RhsTok = 44, StmtsTok = 45, ItervarsTok = 46, LoopDomainTok = 47, 
    SharedTok = 48, AutoTok = 49, TestTok = 50, IfTok = 51, ElseTok = 52, 
    ExprsTok = 53, PlusTok = 54, MinusTok = 55, MultTok = 56, DivTok = 57, 
    LtTok = 58, LeqTok = 59, GtTok = 60, GeqTok = 61, EqTok = 62, NeqTok = 63, 
    AndTok = 64, OrTok = 65, NotTok = 66, NegateTok = 67, CastTok = 68, 
    NameTok = 69, RealConstTok = 70, ComplexConstTok = 71, IndexTok = 72, 
    IndicesTok = 73, FncallTok = 74, FnhandleTok = 75, LibcallTok = 76, 
    ArgsTok = 77, AllocTok = 78, DimTok = 79, DimvecTok = 80, TupleTok = 81, 
    ElemsTok = 82, ElmsTok = 83, TupleIndexTok = 84, ComplexTok = 85, RealTok = 86, 
    ImagTok = 87, RangeTok = 88, StartTok = 89, StepTok = 90, StopTok = 91, 
    DomainTok = 92, XchangeTok = 93, InfTok = 94, NanTok = 95, AttrName = 96, 
    AttrIndexing = 97, AttrExclude = 98, AttrFlatten = 99, AttrGrow = 100, 
    AttrAssign = 101, AttrSlices = 102, AttrNan = 103, AttrMemory = 104, 
    AttrMindims = 105, AttrFastmath = 106, AttrBroadcast = 107, AttrPromote = 108, 
    AttrOverflow = 109, AttrVrir = 110, AttrLoc = 111, AttrId = 112, AttrCtype = 113, 
    AttrLayout = 114, AttrNdims = 115, AttrOnGpu = 116, AttrShared = 117, 
    AttrIval = 118, AttrDval = 119, AttrFval = 120, AttrRe = 121, AttrIm = 122, 
    AttrArrayid = 123, AttrCopyslice = 124, AttrBoundscheck = 125, AttrNegative = 126, 
    AttrMinBounds = 127, AttrMaxBounds = 128, AttrFnname = 129, AttrLibfunc = 130, 
    AttrFunc = 131, AttrDimid = 132, AttrIndex = 133, AttrTupleid = 134, 
    AttrOp = 135, AttrParallel = 136, AttrCode = 137, AttrText = 138, AttrUnknown = 139, 
    TrueTok = 140, FalseTok = 141, Name = 142, Intval = 143, Floatval = 144, 
    String = 145, Comment = 146, WS = 147, Junk = 148
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

