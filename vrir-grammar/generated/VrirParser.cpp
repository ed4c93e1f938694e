
// Generated from Vrir.g4 by ANTLR 4.7.2



#include "VrirParser.h"


using namespace antlrcpp;
using namespace antlr4;

VrirParser::VrirParser(TokenStream *input) : VrirParserBase(input) {
  _interpreter = new atn::ParserATNSimulator(this, _atn, _decisionToDFA, _sharedContextCache);
}

VrirParser::~VrirParser() {
  delete _interpreter;
}

std::string VrirParser::getGrammarFileName() const {
  return "Vrir.g4";
}

const std::vector<std::string>& VrirParser::getRuleNames() const {
  return _ruleNames;
}

dfa::Vocabulary& VrirParser::getVocabulary() const {
  return _vocabulary;
}


//----------------- ModuleContext ------------------------------------------------------------------

VrirParser::ModuleContext::ModuleContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<tree::TerminalNode *> VrirParser::ModuleContext::Lp() {
  return getTokens(VrirParser::Lp);
}

tree::TerminalNode* VrirParser::ModuleContext::Lp(size_t i) {
  return getToken(VrirParser::Lp, i);
}

tree::TerminalNode* VrirParser::ModuleContext::ModuleTok() {
  return getToken(VrirParser::ModuleTok, 0);
}

tree::TerminalNode* VrirParser::ModuleContext::FnsTok() {
  return getToken(VrirParser::FnsTok, 0);
}

std::vector<tree::TerminalNode *> VrirParser::ModuleContext::Rp() {
  return getTokens(VrirParser::Rp);
}

tree::TerminalNode* VrirParser::ModuleContext::Rp(size_t i) {
  return getToken(VrirParser::Rp, i);
}

tree::TerminalNode* VrirParser::ModuleContext::EOF() {
  return getToken(VrirParser::EOF, 0);
}

std::vector<VrirParser::ModuleAttrContext *> VrirParser::ModuleContext::moduleAttr() {
  return getRuleContexts<VrirParser::ModuleAttrContext>();
}

VrirParser::ModuleAttrContext* VrirParser::ModuleContext::moduleAttr(size_t i) {
  return getRuleContext<VrirParser::ModuleAttrContext>(i);
}

std::vector<VrirParser::FunctionContext *> VrirParser::ModuleContext::function() {
  return getRuleContexts<VrirParser::FunctionContext>();
}

VrirParser::FunctionContext* VrirParser::ModuleContext::function(size_t i) {
  return getRuleContext<VrirParser::FunctionContext>(i);
}


size_t VrirParser::ModuleContext::getRuleIndex() const {
  return VrirParser::RuleModule;
}


VrirParser::ModuleContext* VrirParser::module() {
  ModuleContext *_localctx = _tracker.createInstance<ModuleContext>(_ctx, getState());
  enterRule(_localctx, 0, VrirParser::RuleModule);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(178);
    match(VrirParser::Lp);
    setState(179);
    match(VrirParser::ModuleTok);
    setState(183);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 98) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 98)) & ((1ULL << (VrirParser::AttrName - 98))
      | (1ULL << (VrirParser::AttrIndexing - 98))
      | (1ULL << (VrirParser::AttrExclude - 98))
      | (1ULL << (VrirParser::AttrFlatten - 98))
      | (1ULL << (VrirParser::AttrGrow - 98))
      | (1ULL << (VrirParser::AttrAssign - 98))
      | (1ULL << (VrirParser::AttrSlices - 98))
      | (1ULL << (VrirParser::AttrNan - 98))
      | (1ULL << (VrirParser::AttrMemory - 98))
      | (1ULL << (VrirParser::AttrMindims - 98))
      | (1ULL << (VrirParser::AttrFastmath - 98))
      | (1ULL << (VrirParser::AttrBroadcast - 98))
      | (1ULL << (VrirParser::AttrPromote - 98))
      | (1ULL << (VrirParser::AttrOverflow - 98))
      | (1ULL << (VrirParser::AttrVrir - 98)))) != 0)) {
      setState(180);
      moduleAttr();
      setState(185);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(186);
    match(VrirParser::Lp);
    setState(187);
    match(VrirParser::FnsTok);
    setState(191);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(188);
      function();
      setState(193);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(194);
    match(VrirParser::Rp);
    setState(195);
    match(VrirParser::Rp);
    setState(196);
    match(VrirParser::EOF);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ModuleAttrContext ------------------------------------------------------------------

VrirParser::ModuleAttrContext::ModuleAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrName() {
  return getToken(VrirParser::AttrName, 0);
}

VrirParser::ModuleNameContext* VrirParser::ModuleAttrContext::moduleName() {
  return getRuleContext<VrirParser::ModuleNameContext>(0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrIndexing() {
  return getToken(VrirParser::AttrIndexing, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrExclude() {
  return getToken(VrirParser::AttrExclude, 0);
}

VrirParser::BoolvalContext* VrirParser::ModuleAttrContext::boolval() {
  return getRuleContext<VrirParser::BoolvalContext>(0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrFlatten() {
  return getToken(VrirParser::AttrFlatten, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrGrow() {
  return getToken(VrirParser::AttrGrow, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrAssign() {
  return getToken(VrirParser::AttrAssign, 0);
}

VrirParser::TextContext* VrirParser::ModuleAttrContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrSlices() {
  return getToken(VrirParser::AttrSlices, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrNan() {
  return getToken(VrirParser::AttrNan, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrMemory() {
  return getToken(VrirParser::AttrMemory, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrMindims() {
  return getToken(VrirParser::AttrMindims, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrFastmath() {
  return getToken(VrirParser::AttrFastmath, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::WordContext *> VrirParser::ModuleAttrContext::word() {
  return getRuleContexts<VrirParser::WordContext>();
}

VrirParser::WordContext* VrirParser::ModuleAttrContext::word(size_t i) {
  return getRuleContext<VrirParser::WordContext>(i);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrBroadcast() {
  return getToken(VrirParser::AttrBroadcast, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrPromote() {
  return getToken(VrirParser::AttrPromote, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrOverflow() {
  return getToken(VrirParser::AttrOverflow, 0);
}

tree::TerminalNode* VrirParser::ModuleAttrContext::AttrVrir() {
  return getToken(VrirParser::AttrVrir, 0);
}


size_t VrirParser::ModuleAttrContext::getRuleIndex() const {
  return VrirParser::RuleModuleAttr;
}


VrirParser::ModuleAttrContext* VrirParser::moduleAttr() {
  ModuleAttrContext *_localctx = _tracker.createInstance<ModuleAttrContext>(_ctx, getState());
  enterRule(_localctx, 2, VrirParser::RuleModuleAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(243);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrName: {
        enterOuterAlt(_localctx, 1);
        setState(198);
        match(VrirParser::AttrName);
        setState(199);
        moduleName();
        break;
      }

      case VrirParser::AttrIndexing: {
        enterOuterAlt(_localctx, 2);
        setState(200);
        match(VrirParser::AttrIndexing);
        setState(201);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrExclude: {
        enterOuterAlt(_localctx, 3);
        setState(202);
        match(VrirParser::AttrExclude);
        setState(203);
        boolval();
        break;
      }

      case VrirParser::AttrFlatten: {
        enterOuterAlt(_localctx, 4);
        setState(204);
        match(VrirParser::AttrFlatten);
        setState(205);
        boolval();
        break;
      }

      case VrirParser::AttrGrow: {
        enterOuterAlt(_localctx, 5);
        setState(206);
        match(VrirParser::AttrGrow);
        setState(207);
        boolval();
        break;
      }

      case VrirParser::AttrAssign: {
        enterOuterAlt(_localctx, 6);
        setState(208);
        match(VrirParser::AttrAssign);
        setState(209);
        text();
        break;
      }

      case VrirParser::AttrSlices: {
        enterOuterAlt(_localctx, 7);
        setState(210);
        match(VrirParser::AttrSlices);
        setState(211);
        text();
        break;
      }

      case VrirParser::AttrNan: {
        enterOuterAlt(_localctx, 8);
        setState(212);
        match(VrirParser::AttrNan);
        setState(213);
        text();
        break;
      }

      case VrirParser::AttrMemory: {
        enterOuterAlt(_localctx, 9);
        setState(214);
        match(VrirParser::AttrMemory);
        setState(215);
        text();
        break;
      }

      case VrirParser::AttrMindims: {
        enterOuterAlt(_localctx, 10);
        setState(216);
        match(VrirParser::AttrMindims);
        setState(217);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrFastmath: {
        enterOuterAlt(_localctx, 11);
        setState(218);
        match(VrirParser::AttrFastmath);
        setState(233);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VrirParser::TrueTok:
          case VrirParser::FalseTok: {
            setState(219);
            boolval();
            break;
          }

          case VrirParser::ModuleTok:
          case VrirParser::FnsTok:
          case VrirParser::FunctionTok:
          case VrirParser::ExternTok:
          case VrirParser::ArglistTok:
          case VrirParser::ArgTok:
          case VrirParser::SymtableTok:
          case VrirParser::SymTok:
          case VrirParser::BodyTok:
          case VrirParser::VoidTok:
          case VrirParser::VtypeTok:
          case VrirParser::NullTok:
          case VrirParser::Int8Tok:
          case VrirParser::Int16Tok:
          case VrirParser::Int32Tok:
          case VrirParser::Int64Tok:
          case VrirParser::Uint8Tok:
          case VrirParser::Uint16Tok:
          case VrirParser::Uint32Tok:
          case VrirParser::Uint64Tok:
          case VrirParser::Float16Tok:
          case VrirParser::Bfloat16Tok:
          case VrirParser::Float32Tok:
          case VrirParser::Float64Tok:
          case VrirParser::BoolTok:
          case VrirParser::ArrayTypeTok:
          case VrirParser::TupleTypeTok:
          case VrirParser::DomainTypeTok:
          case VrirParser::FnTypeTok:
          case VrirParser::IntypesTok:
          case VrirParser::OuttypesTok:
          case VrirParser::AssignstmtTok:
          case VrirParser::StmtlistTok:
          case VrirParser::ForstmtTok:
          case VrirParser::PforstmtTok:
          case VrirParser::WhilestmtTok:
          case VrirParser::IfstmtTok:
          case VrirParser::BreakTok:
          case VrirParser::ContinueTok:
          case VrirParser::ReturnstmtTok:
          case VrirParser::RaiseTok:
          case VrirParser::ExprstmtTok:
          case VrirParser::LhsTok:
          case VrirParser::RhsTok:
          case VrirParser::StmtsTok:
          case VrirParser::ItervarsTok:
          case VrirParser::LoopDomainTok:
          case VrirParser::SharedTok:
          case VrirParser::AutoTok:
          case VrirParser::TestTok:
          case VrirParser::IfTok:
          case VrirParser::ElseTok:
          case VrirParser::ExprsTok:
          case VrirParser::PlusTok:
          case VrirParser::MinusTok:
          case VrirParser::MultTok:
          case VrirParser::DivTok:
          case VrirParser::LtTok:
          case VrirParser::LeqTok:
          case VrirParser::GtTok:
          case VrirParser::GeqTok:
          case VrirParser::EqTok:
          case VrirParser::NeqTok:
          case VrirParser::AndTok:
          case VrirParser::OrTok:
          case VrirParser::NotTok:
          case VrirParser::NegateTok:
          case VrirParser::CastTok:
          case VrirParser::NameTok:
          case VrirParser::RealConstTok:
          case VrirParser::ComplexConstTok:
          case VrirParser::IndexTok:
          case VrirParser::IndicesTok:
          case VrirParser::FncallTok:
          case VrirParser::FnhandleTok:
          case VrirParser::LibcallTok:
          case VrirParser::ArgsTok:
          case VrirParser::AllocTok:
          case VrirParser::DimTok:
          case VrirParser::DimvecTok:
          case VrirParser::TupleTok:
          case VrirParser::ElemsTok:
          case VrirParser::ElmsTok:
          case VrirParser::TupleIndexTok:
          case VrirParser::ComplexTok:
          case VrirParser::RealTok:
          case VrirParser::ImagTok:
          case VrirParser::RangeTok:
          case VrirParser::StartTok:
          case VrirParser::StepTok:
          case VrirParser::StopTok:
          case VrirParser::DomainTok:
          case VrirParser::XchangeTok:
          case VrirParser::InfTok:
          case VrirParser::NanTok:
          case VrirParser::Name: {
            setState(221); 
            _errHandler->sync(this);
            _la = _input->LA(1);
            do {
              setState(220);
              word();
              setState(223); 
              _errHandler->sync(this);
              _la = _input->LA(1);
            } while ((((_la & ~ 0x3fULL) == 0) &&
              ((1ULL << _la) & ((1ULL << VrirParser::ModuleTok)
              | (1ULL << VrirParser::FnsTok)
              | (1ULL << VrirParser::FunctionTok)
              | (1ULL << VrirParser::ExternTok)
              | (1ULL << VrirParser::ArglistTok)
              | (1ULL << VrirParser::ArgTok)
              | (1ULL << VrirParser::SymtableTok)
              | (1ULL << VrirParser::SymTok)
              | (1ULL << VrirParser::BodyTok)
              | (1ULL << VrirParser::VoidTok)
              | (1ULL << VrirParser::VtypeTok)
              | (1ULL << VrirParser::NullTok)
              | (1ULL << VrirParser::Int8Tok)
              | (1ULL << VrirParser::Int16Tok)
              | (1ULL << VrirParser::Int32Tok)
              | (1ULL << VrirParser::Int64Tok)
              | (1ULL << VrirParser::Uint8Tok)
              | (1ULL << VrirParser::Uint16Tok)
              | (1ULL << VrirParser::Uint32Tok)
              | (1ULL << VrirParser::Uint64Tok)
              | (1ULL << VrirParser::Float16Tok)
              | (1ULL << VrirParser::Bfloat16Tok)
              | (1ULL << VrirParser::Float32Tok)
              | (1ULL << VrirParser::Float64Tok)
              | (1ULL << VrirParser::BoolTok)
              | (1ULL << VrirParser::ArrayTypeTok)
              | (1ULL << VrirParser::TupleTypeTok)
              | (1ULL << VrirParser::DomainTypeTok)
              | (1ULL << VrirParser::FnTypeTok)
              | (1ULL << VrirParser::IntypesTok)
              | (1ULL << VrirParser::OuttypesTok)
              | (1ULL << VrirParser::AssignstmtTok)
              | (1ULL << VrirParser::StmtlistTok)
              | (1ULL << VrirParser::ForstmtTok)
              | (1ULL << VrirParser::PforstmtTok)
              | (1ULL << VrirParser::WhilestmtTok)
              | (1ULL << VrirParser::IfstmtTok)
              | (1ULL << VrirParser::BreakTok)
              | (1ULL << VrirParser::ContinueTok)
              | (1ULL << VrirParser::ReturnstmtTok)
              | (1ULL << VrirParser::RaiseTok)
              | (1ULL << VrirParser::ExprstmtTok)
              | (1ULL << VrirParser::LhsTok)
              | (1ULL << VrirParser::RhsTok)
              | (1ULL << VrirParser::StmtsTok)
              | (1ULL << VrirParser::ItervarsTok)
              | (1ULL << VrirParser::LoopDomainTok)
              | (1ULL << VrirParser::SharedTok)
              | (1ULL << VrirParser::AutoTok)
              | (1ULL << VrirParser::TestTok)
              | (1ULL << VrirParser::IfTok)
              | (1ULL << VrirParser::ElseTok)
              | (1ULL << VrirParser::ExprsTok)
              | (1ULL << VrirParser::PlusTok)
              | (1ULL << VrirParser::MinusTok)
              | (1ULL << VrirParser::MultTok)
              | (1ULL << VrirParser::DivTok)
              | (1ULL << VrirParser::LtTok)
              | (1ULL << VrirParser::LeqTok)
              | (1ULL << VrirParser::GtTok)
              | (1ULL << VrirParser::GeqTok))) != 0) || ((((_la - 64) & ~ 0x3fULL) == 0) &&
              ((1ULL << (_la - 64)) & ((1ULL << (VrirParser::EqTok - 64))
              | (1ULL << (VrirParser::NeqTok - 64))
              | (1ULL << (VrirParser::AndTok - 64))
              | (1ULL << (VrirParser::OrTok - 64))
              | (1ULL << (VrirParser::NotTok - 64))
              | (1ULL << (VrirParser::NegateTok - 64))
              | (1ULL << (VrirParser::CastTok - 64))
              | (1ULL << (VrirParser::NameTok - 64))
              | (1ULL << (VrirParser::RealConstTok - 64))
              | (1ULL << (VrirParser::ComplexConstTok - 64))
              | (1ULL << (VrirParser::IndexTok - 64))
              | (1ULL << (VrirParser::IndicesTok - 64))
              | (1ULL << (VrirParser::FncallTok - 64))
              | (1ULL << (VrirParser::FnhandleTok - 64))
              | (1ULL << (VrirParser::LibcallTok - 64))
              | (1ULL << (VrirParser::ArgsTok - 64))
              | (1ULL << (VrirParser::AllocTok - 64))
              | (1ULL << (VrirParser::DimTok - 64))
              | (1ULL << (VrirParser::DimvecTok - 64))
              | (1ULL << (VrirParser::TupleTok - 64))
              | (1ULL << (VrirParser::ElemsTok - 64))
              | (1ULL << (VrirParser::ElmsTok - 64))
              | (1ULL << (VrirParser::TupleIndexTok - 64))
              | (1ULL << (VrirParser::ComplexTok - 64))
              | (1ULL << (VrirParser::RealTok - 64))
              | (1ULL << (VrirParser::ImagTok - 64))
              | (1ULL << (VrirParser::RangeTok - 64))
              | (1ULL << (VrirParser::StartTok - 64))
              | (1ULL << (VrirParser::StepTok - 64))
              | (1ULL << (VrirParser::StopTok - 64))
              | (1ULL << (VrirParser::DomainTok - 64))
              | (1ULL << (VrirParser::XchangeTok - 64))
              | (1ULL << (VrirParser::InfTok - 64))
              | (1ULL << (VrirParser::NanTok - 64)))) != 0) || _la == VrirParser::Name);
            break;
          }

          case VrirParser::Lp: {
            setState(225);
            match(VrirParser::Lp);
            setState(229);
            _errHandler->sync(this);
            _la = _input->LA(1);
            while ((((_la & ~ 0x3fULL) == 0) &&
              ((1ULL << _la) & ((1ULL << VrirParser::ModuleTok)
              | (1ULL << VrirParser::FnsTok)
              | (1ULL << VrirParser::FunctionTok)
              | (1ULL << VrirParser::ExternTok)
              | (1ULL << VrirParser::ArglistTok)
              | (1ULL << VrirParser::ArgTok)
              | (1ULL << VrirParser::SymtableTok)
              | (1ULL << VrirParser::SymTok)
              | (1ULL << VrirParser::BodyTok)
              | (1ULL << VrirParser::VoidTok)
              | (1ULL << VrirParser::VtypeTok)
              | (1ULL << VrirParser::NullTok)
              | (1ULL << VrirParser::Int8Tok)
              | (1ULL << VrirParser::Int16Tok)
              | (1ULL << VrirParser::Int32Tok)
              | (1ULL << VrirParser::Int64Tok)
              | (1ULL << VrirParser::Uint8Tok)
              | (1ULL << VrirParser::Uint16Tok)
              | (1ULL << VrirParser::Uint32Tok)
              | (1ULL << VrirParser::Uint64Tok)
              | (1ULL << VrirParser::Float16Tok)
              | (1ULL << VrirParser::Bfloat16Tok)
              | (1ULL << VrirParser::Float32Tok)
              | (1ULL << VrirParser::Float64Tok)
              | (1ULL << VrirParser::BoolTok)
              | (1ULL << VrirParser::ArrayTypeTok)
              | (1ULL << VrirParser::TupleTypeTok)
              | (1ULL << VrirParser::DomainTypeTok)
              | (1ULL << VrirParser::FnTypeTok)
              | (1ULL << VrirParser::IntypesTok)
              | (1ULL << VrirParser::OuttypesTok)
              | (1ULL << VrirParser::AssignstmtTok)
              | (1ULL << VrirParser::StmtlistTok)
              | (1ULL << VrirParser::ForstmtTok)
              | (1ULL << VrirParser::PforstmtTok)
              | (1ULL << VrirParser::WhilestmtTok)
              | (1ULL << VrirParser::IfstmtTok)
              | (1ULL << VrirParser::BreakTok)
              | (1ULL << VrirParser::ContinueTok)
              | (1ULL << VrirParser::ReturnstmtTok)
              | (1ULL << VrirParser::RaiseTok)
              | (1ULL << VrirParser::ExprstmtTok)
              | (1ULL << VrirParser::LhsTok)
              | (1ULL << VrirParser::RhsTok)
              | (1ULL << VrirParser::StmtsTok)
              | (1ULL << VrirParser::ItervarsTok)
              | (1ULL << VrirParser::LoopDomainTok)
              | (1ULL << VrirParser::SharedTok)
              | (1ULL << VrirParser::AutoTok)
              | (1ULL << VrirParser::TestTok)
              | (1ULL << VrirParser::IfTok)
              | (1ULL << VrirParser::ElseTok)
              | (1ULL << VrirParser::ExprsTok)
              | (1ULL << VrirParser::PlusTok)
              | (1ULL << VrirParser::MinusTok)
              | (1ULL << VrirParser::MultTok)
              | (1ULL << VrirParser::DivTok)
              | (1ULL << VrirParser::LtTok)
              | (1ULL << VrirParser::LeqTok)
              | (1ULL << VrirParser::GtTok)
              | (1ULL << VrirParser::GeqTok))) != 0) || ((((_la - 64) & ~ 0x3fULL) == 0) &&
              ((1ULL << (_la - 64)) & ((1ULL << (VrirParser::EqTok - 64))
              | (1ULL << (VrirParser::NeqTok - 64))
              | (1ULL << (VrirParser::AndTok - 64))
              | (1ULL << (VrirParser::OrTok - 64))
              | (1ULL << (VrirParser::NotTok - 64))
              | (1ULL << (VrirParser::NegateTok - 64))
              | (1ULL << (VrirParser::CastTok - 64))
              | (1ULL << (VrirParser::NameTok - 64))
              | (1ULL << (VrirParser::RealConstTok - 64))
              | (1ULL << (VrirParser::ComplexConstTok - 64))
              | (1ULL << (VrirParser::IndexTok - 64))
              | (1ULL << (VrirParser::IndicesTok - 64))
              | (1ULL << (VrirParser::FncallTok - 64))
              | (1ULL << (VrirParser::FnhandleTok - 64))
              | (1ULL << (VrirParser::LibcallTok - 64))
              | (1ULL << (VrirParser::ArgsTok - 64))
              | (1ULL << (VrirParser::AllocTok - 64))
              | (1ULL << (VrirParser::DimTok - 64))
              | (1ULL << (VrirParser::DimvecTok - 64))
              | (1ULL << (VrirParser::TupleTok - 64))
              | (1ULL << (VrirParser::ElemsTok - 64))
              | (1ULL << (VrirParser::ElmsTok - 64))
              | (1ULL << (VrirParser::TupleIndexTok - 64))
              | (1ULL << (VrirParser::ComplexTok - 64))
              | (1ULL << (VrirParser::RealTok - 64))
              | (1ULL << (VrirParser::ImagTok - 64))
              | (1ULL << (VrirParser::RangeTok - 64))
              | (1ULL << (VrirParser::StartTok - 64))
              | (1ULL << (VrirParser::StepTok - 64))
              | (1ULL << (VrirParser::StopTok - 64))
              | (1ULL << (VrirParser::DomainTok - 64))
              | (1ULL << (VrirParser::XchangeTok - 64))
              | (1ULL << (VrirParser::InfTok - 64))
              | (1ULL << (VrirParser::NanTok - 64)))) != 0) || _la == VrirParser::Name) {
              setState(226);
              word();
              setState(231);
              _errHandler->sync(this);
              _la = _input->LA(1);
            }
            setState(232);
            match(VrirParser::Rp);
            break;
          }

        default:
          throw NoViableAltException(this);
        }
        break;
      }

      case VrirParser::AttrBroadcast: {
        enterOuterAlt(_localctx, 12);
        setState(235);
        match(VrirParser::AttrBroadcast);
        setState(236);
        text();
        break;
      }

      case VrirParser::AttrPromote: {
        enterOuterAlt(_localctx, 13);
        setState(237);
        match(VrirParser::AttrPromote);
        setState(238);
        text();
        break;
      }

      case VrirParser::AttrOverflow: {
        enterOuterAlt(_localctx, 14);
        setState(239);
        match(VrirParser::AttrOverflow);
        setState(240);
        text();
        break;
      }

      case VrirParser::AttrVrir: {
        enterOuterAlt(_localctx, 15);
        setState(241);
        match(VrirParser::AttrVrir);
        setState(242);
        match(VrirParser::Intval);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ModuleNameContext ------------------------------------------------------------------

VrirParser::ModuleNameContext::ModuleNameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::TextContext* VrirParser::ModuleNameContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

tree::TerminalNode* VrirParser::ModuleNameContext::ModuleText() {
  return getToken(VrirParser::ModuleText, 0);
}


size_t VrirParser::ModuleNameContext::getRuleIndex() const {
  return VrirParser::RuleModuleName;
}


VrirParser::ModuleNameContext* VrirParser::moduleName() {
  ModuleNameContext *_localctx = _tracker.createInstance<ModuleNameContext>(_ctx, getState());
  enterRule(_localctx, 4, VrirParser::RuleModuleName);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(247);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::ModuleTok:
      case VrirParser::FnsTok:
      case VrirParser::FunctionTok:
      case VrirParser::ExternTok:
      case VrirParser::ArglistTok:
      case VrirParser::ArgTok:
      case VrirParser::SymtableTok:
      case VrirParser::SymTok:
      case VrirParser::BodyTok:
      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int8Tok:
      case VrirParser::Int16Tok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Uint8Tok:
      case VrirParser::Uint16Tok:
      case VrirParser::Uint32Tok:
      case VrirParser::Uint64Tok:
      case VrirParser::Float16Tok:
      case VrirParser::Bfloat16Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok:
      case VrirParser::ArrayTypeTok:
      case VrirParser::TupleTypeTok:
      case VrirParser::DomainTypeTok:
      case VrirParser::FnTypeTok:
      case VrirParser::IntypesTok:
      case VrirParser::OuttypesTok:
      case VrirParser::AssignstmtTok:
      case VrirParser::StmtlistTok:
      case VrirParser::ForstmtTok:
      case VrirParser::PforstmtTok:
      case VrirParser::WhilestmtTok:
      case VrirParser::IfstmtTok:
      case VrirParser::BreakTok:
      case VrirParser::ContinueTok:
      case VrirParser::ReturnstmtTok:
      case VrirParser::RaiseTok:
      case VrirParser::ExprstmtTok:
      case VrirParser::LhsTok:
      case VrirParser::RhsTok:
      case VrirParser::StmtsTok:
      case VrirParser::ItervarsTok:
      case VrirParser::LoopDomainTok:
      case VrirParser::SharedTok:
      case VrirParser::AutoTok:
      case VrirParser::TestTok:
      case VrirParser::IfTok:
      case VrirParser::ElseTok:
      case VrirParser::ExprsTok:
      case VrirParser::PlusTok:
      case VrirParser::MinusTok:
      case VrirParser::MultTok:
      case VrirParser::DivTok:
      case VrirParser::LtTok:
      case VrirParser::LeqTok:
      case VrirParser::GtTok:
      case VrirParser::GeqTok:
      case VrirParser::EqTok:
      case VrirParser::NeqTok:
      case VrirParser::AndTok:
      case VrirParser::OrTok:
      case VrirParser::NotTok:
      case VrirParser::NegateTok:
      case VrirParser::CastTok:
      case VrirParser::NameTok:
      case VrirParser::RealConstTok:
      case VrirParser::ComplexConstTok:
      case VrirParser::IndexTok:
      case VrirParser::IndicesTok:
      case VrirParser::FncallTok:
      case VrirParser::FnhandleTok:
      case VrirParser::LibcallTok:
      case VrirParser::ArgsTok:
      case VrirParser::AllocTok:
      case VrirParser::DimTok:
      case VrirParser::DimvecTok:
      case VrirParser::TupleTok:
      case VrirParser::ElemsTok:
      case VrirParser::ElmsTok:
      case VrirParser::TupleIndexTok:
      case VrirParser::ComplexTok:
      case VrirParser::RealTok:
      case VrirParser::ImagTok:
      case VrirParser::RangeTok:
      case VrirParser::StartTok:
      case VrirParser::StepTok:
      case VrirParser::StopTok:
      case VrirParser::DomainTok:
      case VrirParser::XchangeTok:
      case VrirParser::InfTok:
      case VrirParser::NanTok:
      case VrirParser::Name:
      case VrirParser::String: {
        enterOuterAlt(_localctx, 1);
        setState(245);
        text();
        break;
      }

      case VrirParser::ModuleText: {
        enterOuterAlt(_localctx, 2);
        setState(246);
        match(VrirParser::ModuleText);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FunctionContext ------------------------------------------------------------------

VrirParser::FunctionContext::FunctionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::FunctionContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::FunctionContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

tree::TerminalNode* VrirParser::FunctionContext::FunctionTok() {
  return getToken(VrirParser::FunctionTok, 0);
}

VrirParser::TextContext* VrirParser::FunctionContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::VtypeContext* VrirParser::FunctionContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ArglistContext* VrirParser::FunctionContext::arglist() {
  return getRuleContext<VrirParser::ArglistContext>(0);
}

VrirParser::BodyContext* VrirParser::FunctionContext::body() {
  return getRuleContext<VrirParser::BodyContext>(0);
}

VrirParser::SymtableContext* VrirParser::FunctionContext::symtable() {
  return getRuleContext<VrirParser::SymtableContext>(0);
}

tree::TerminalNode* VrirParser::FunctionContext::ExternTok() {
  return getToken(VrirParser::ExternTok, 0);
}

std::vector<VrirParser::LocAttrContext *> VrirParser::FunctionContext::locAttr() {
  return getRuleContexts<VrirParser::LocAttrContext>();
}

VrirParser::LocAttrContext* VrirParser::FunctionContext::locAttr(size_t i) {
  return getRuleContext<VrirParser::LocAttrContext>(i);
}

tree::TerminalNode* VrirParser::FunctionContext::AttrName() {
  return getToken(VrirParser::AttrName, 0);
}

tree::TerminalNode* VrirParser::FunctionContext::AttrParallel() {
  return getToken(VrirParser::AttrParallel, 0);
}

VrirParser::BoolvalContext* VrirParser::FunctionContext::boolval() {
  return getRuleContext<VrirParser::BoolvalContext>(0);
}


size_t VrirParser::FunctionContext::getRuleIndex() const {
  return VrirParser::RuleFunction;
}


VrirParser::FunctionContext* VrirParser::function() {
  FunctionContext *_localctx = _tracker.createInstance<FunctionContext>(_ctx, getState());
  enterRule(_localctx, 6, VrirParser::RuleFunction);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(249);
    match(VrirParser::Lp);
    setState(283);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::FunctionTok: {
        setState(250);
        match(VrirParser::FunctionTok);
        setState(252);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrLoc) {
          setState(251);
          locAttr();
        }
        setState(255);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrName) {
          setState(254);
          match(VrirParser::AttrName);
        }
        setState(257);
        text();
        setState(259);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrLoc) {
          setState(258);
          locAttr();
        }
        setState(261);
        vtype();
        setState(262);
        arglist();
        setState(263);
        body();
        setState(264);
        symtable();
        break;
      }

      case VrirParser::ExternTok: {
        setState(266);
        match(VrirParser::ExternTok);
        setState(268);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrLoc) {
          setState(267);
          locAttr();
        }
        setState(271);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrName) {
          setState(270);
          match(VrirParser::AttrName);
        }
        setState(273);
        text();
        setState(275);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrLoc) {
          setState(274);
          locAttr();
        }
        setState(279);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VrirParser::AttrParallel) {
          setState(277);
          match(VrirParser::AttrParallel);
          setState(278);
          boolval();
        }
        setState(281);
        vtype();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(285);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LocAttrContext ------------------------------------------------------------------

VrirParser::LocAttrContext::LocAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::LocAttrContext::AttrLoc() {
  return getToken(VrirParser::AttrLoc, 0);
}

VrirParser::TextContext* VrirParser::LocAttrContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}


size_t VrirParser::LocAttrContext::getRuleIndex() const {
  return VrirParser::RuleLocAttr;
}


VrirParser::LocAttrContext* VrirParser::locAttr() {
  LocAttrContext *_localctx = _tracker.createInstance<LocAttrContext>(_ctx, getState());
  enterRule(_localctx, 8, VrirParser::RuleLocAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(287);
    match(VrirParser::AttrLoc);
    setState(288);
    text();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArglistContext ------------------------------------------------------------------

VrirParser::ArglistContext::ArglistContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ArglistContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ArglistContext::ArglistTok() {
  return getToken(VrirParser::ArglistTok, 0);
}

tree::TerminalNode* VrirParser::ArglistContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::FnargContext *> VrirParser::ArglistContext::fnarg() {
  return getRuleContexts<VrirParser::FnargContext>();
}

VrirParser::FnargContext* VrirParser::ArglistContext::fnarg(size_t i) {
  return getRuleContext<VrirParser::FnargContext>(i);
}


size_t VrirParser::ArglistContext::getRuleIndex() const {
  return VrirParser::RuleArglist;
}


VrirParser::ArglistContext* VrirParser::arglist() {
  ArglistContext *_localctx = _tracker.createInstance<ArglistContext>(_ctx, getState());
  enterRule(_localctx, 10, VrirParser::RuleArglist);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(290);
    match(VrirParser::Lp);
    setState(291);
    match(VrirParser::ArglistTok);
    setState(295);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp || _la == VrirParser::Intval) {
      setState(292);
      fnarg();
      setState(297);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(298);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FnargContext ------------------------------------------------------------------

VrirParser::FnargContext::FnargContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::FnargContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::FnargContext::ArgTok() {
  return getToken(VrirParser::ArgTok, 0);
}

tree::TerminalNode* VrirParser::FnargContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::FnargContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::FnargContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::FnargContext::getRuleIndex() const {
  return VrirParser::RuleFnarg;
}


VrirParser::FnargContext* VrirParser::fnarg() {
  FnargContext *_localctx = _tracker.createInstance<FnargContext>(_ctx, getState());
  enterRule(_localctx, 12, VrirParser::RuleFnarg);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(306);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::Lp: {
        enterOuterAlt(_localctx, 1);
        setState(300);
        match(VrirParser::Lp);
        setState(301);
        match(VrirParser::ArgTok);
        setState(302);
        match(VrirParser::AttrId);
        setState(303);
        match(VrirParser::Intval);
        setState(304);
        match(VrirParser::Rp);
        break;
      }

      case VrirParser::Intval: {
        enterOuterAlt(_localctx, 2);
        setState(305);
        match(VrirParser::Intval);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SymtableContext ------------------------------------------------------------------

VrirParser::SymtableContext::SymtableContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::SymtableContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::SymtableContext::SymtableTok() {
  return getToken(VrirParser::SymtableTok, 0);
}

tree::TerminalNode* VrirParser::SymtableContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::SymContext *> VrirParser::SymtableContext::sym() {
  return getRuleContexts<VrirParser::SymContext>();
}

VrirParser::SymContext* VrirParser::SymtableContext::sym(size_t i) {
  return getRuleContext<VrirParser::SymContext>(i);
}


size_t VrirParser::SymtableContext::getRuleIndex() const {
  return VrirParser::RuleSymtable;
}


VrirParser::SymtableContext* VrirParser::symtable() {
  SymtableContext *_localctx = _tracker.createInstance<SymtableContext>(_ctx, getState());
  enterRule(_localctx, 14, VrirParser::RuleSymtable);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(308);
    match(VrirParser::Lp);
    setState(309);
    match(VrirParser::SymtableTok);
    setState(313);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(310);
      sym();
      setState(315);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(316);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SymContext ------------------------------------------------------------------

VrirParser::SymContext::SymContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::SymContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::SymContext::SymTok() {
  return getToken(VrirParser::SymTok, 0);
}

tree::TerminalNode* VrirParser::SymContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::SymContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::SymContext::AttrName() {
  return getToken(VrirParser::AttrName, 0);
}

VrirParser::TextContext* VrirParser::SymContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::VtypeContext* VrirParser::SymContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

tree::TerminalNode* VrirParser::SymContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::SymContext::getRuleIndex() const {
  return VrirParser::RuleSym;
}


VrirParser::SymContext* VrirParser::sym() {
  SymContext *_localctx = _tracker.createInstance<SymContext>(_ctx, getState());
  enterRule(_localctx, 16, VrirParser::RuleSym);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(318);
    match(VrirParser::Lp);
    setState(319);
    match(VrirParser::SymTok);
    setState(320);
    match(VrirParser::AttrId);
    setState(321);
    match(VrirParser::Intval);
    setState(322);
    match(VrirParser::AttrName);
    setState(323);
    text();
    setState(324);
    vtype();
    setState(325);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BodyContext ------------------------------------------------------------------

VrirParser::BodyContext::BodyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::BodyContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::BodyContext::BodyTok() {
  return getToken(VrirParser::BodyTok, 0);
}

tree::TerminalNode* VrirParser::BodyContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::StatementContext *> VrirParser::BodyContext::statement() {
  return getRuleContexts<VrirParser::StatementContext>();
}

VrirParser::StatementContext* VrirParser::BodyContext::statement(size_t i) {
  return getRuleContext<VrirParser::StatementContext>(i);
}


size_t VrirParser::BodyContext::getRuleIndex() const {
  return VrirParser::RuleBody;
}


VrirParser::BodyContext* VrirParser::body() {
  BodyContext *_localctx = _tracker.createInstance<BodyContext>(_ctx, getState());
  enterRule(_localctx, 18, VrirParser::RuleBody);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(327);
    match(VrirParser::Lp);
    setState(328);
    match(VrirParser::BodyTok);
    setState(332);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(329);
      statement();
      setState(334);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(335);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- VtypeContext ------------------------------------------------------------------

VrirParser::VtypeContext::VtypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::VtypeContext::VoidTok() {
  return getToken(VrirParser::VoidTok, 0);
}

tree::TerminalNode* VrirParser::VtypeContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

VrirParser::TypeBodyContext* VrirParser::VtypeContext::typeBody() {
  return getRuleContext<VrirParser::TypeBodyContext>(0);
}

tree::TerminalNode* VrirParser::VtypeContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::VtypeContext::getRuleIndex() const {
  return VrirParser::RuleVtype;
}


VrirParser::VtypeContext* VrirParser::vtype() {
  VtypeContext *_localctx = _tracker.createInstance<VtypeContext>(_ctx, getState());
  enterRule(_localctx, 20, VrirParser::RuleVtype);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(342);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::VoidTok: {
        enterOuterAlt(_localctx, 1);
        setState(337);
        match(VrirParser::VoidTok);
        break;
      }

      case VrirParser::Lp: {
        enterOuterAlt(_localctx, 2);
        setState(338);
        match(VrirParser::Lp);
        setState(339);
        typeBody();
        setState(340);
        match(VrirParser::Rp);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TypeBodyContext ------------------------------------------------------------------

VrirParser::TypeBodyContext::TypeBodyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::ScalartypeContext* VrirParser::TypeBodyContext::scalartype() {
  return getRuleContext<VrirParser::ScalartypeContext>(0);
}

VrirParser::ArraytypeContext* VrirParser::TypeBodyContext::arraytype() {
  return getRuleContext<VrirParser::ArraytypeContext>(0);
}

VrirParser::TupletypeContext* VrirParser::TypeBodyContext::tupletype() {
  return getRuleContext<VrirParser::TupletypeContext>(0);
}

VrirParser::DomaintypeContext* VrirParser::TypeBodyContext::domaintype() {
  return getRuleContext<VrirParser::DomaintypeContext>(0);
}

VrirParser::FntypeContext* VrirParser::TypeBodyContext::fntype() {
  return getRuleContext<VrirParser::FntypeContext>(0);
}

VrirParser::VoidtypeContext* VrirParser::TypeBodyContext::voidtype() {
  return getRuleContext<VrirParser::VoidtypeContext>(0);
}

VrirParser::NulltypeContext* VrirParser::TypeBodyContext::nulltype() {
  return getRuleContext<VrirParser::NulltypeContext>(0);
}


size_t VrirParser::TypeBodyContext::getRuleIndex() const {
  return VrirParser::RuleTypeBody;
}


VrirParser::TypeBodyContext* VrirParser::typeBody() {
  TypeBodyContext *_localctx = _tracker.createInstance<TypeBodyContext>(_ctx, getState());
  enterRule(_localctx, 22, VrirParser::RuleTypeBody);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(351);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::Int8Tok:
      case VrirParser::Int16Tok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Uint8Tok:
      case VrirParser::Uint16Tok:
      case VrirParser::Uint32Tok:
      case VrirParser::Uint64Tok:
      case VrirParser::Float16Tok:
      case VrirParser::Bfloat16Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok: {
        enterOuterAlt(_localctx, 1);
        setState(344);
        scalartype();
        break;
      }

      case VrirParser::ArrayTypeTok: {
        enterOuterAlt(_localctx, 2);
        setState(345);
        arraytype();
        break;
      }

      case VrirParser::TupleTypeTok: {
        enterOuterAlt(_localctx, 3);
        setState(346);
        tupletype();
        break;
      }

      case VrirParser::DomainTypeTok: {
        enterOuterAlt(_localctx, 4);
        setState(347);
        domaintype();
        break;
      }

      case VrirParser::FnTypeTok: {
        enterOuterAlt(_localctx, 5);
        setState(348);
        fntype();
        break;
      }

      case VrirParser::VoidTok:
      case VrirParser::VtypeTok: {
        enterOuterAlt(_localctx, 6);
        setState(349);
        voidtype();
        break;
      }

      case VrirParser::NullTok: {
        enterOuterAlt(_localctx, 7);
        setState(350);
        nulltype();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ScalartypeContext ------------------------------------------------------------------

VrirParser::ScalartypeContext::ScalartypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ScalartypeContext::Int8Tok() {
  return getToken(VrirParser::Int8Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Int16Tok() {
  return getToken(VrirParser::Int16Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Int32Tok() {
  return getToken(VrirParser::Int32Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Int64Tok() {
  return getToken(VrirParser::Int64Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Uint8Tok() {
  return getToken(VrirParser::Uint8Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Uint16Tok() {
  return getToken(VrirParser::Uint16Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Uint32Tok() {
  return getToken(VrirParser::Uint32Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Uint64Tok() {
  return getToken(VrirParser::Uint64Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Float16Tok() {
  return getToken(VrirParser::Float16Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Bfloat16Tok() {
  return getToken(VrirParser::Bfloat16Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Float32Tok() {
  return getToken(VrirParser::Float32Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Float64Tok() {
  return getToken(VrirParser::Float64Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::BoolTok() {
  return getToken(VrirParser::BoolTok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::AttrCtype() {
  return getToken(VrirParser::AttrCtype, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}


size_t VrirParser::ScalartypeContext::getRuleIndex() const {
  return VrirParser::RuleScalartype;
}


VrirParser::ScalartypeContext* VrirParser::scalartype() {
  ScalartypeContext *_localctx = _tracker.createInstance<ScalartypeContext>(_ctx, getState());
  enterRule(_localctx, 24, VrirParser::RuleScalartype);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(353);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VrirParser::Int8Tok)
      | (1ULL << VrirParser::Int16Tok)
      | (1ULL << VrirParser::Int32Tok)
      | (1ULL << VrirParser::Int64Tok)
      | (1ULL << VrirParser::Uint8Tok)
      | (1ULL << VrirParser::Uint16Tok)
      | (1ULL << VrirParser::Uint32Tok)
      | (1ULL << VrirParser::Uint64Tok)
      | (1ULL << VrirParser::Float16Tok)
      | (1ULL << VrirParser::Bfloat16Tok)
      | (1ULL << VrirParser::Float32Tok)
      | (1ULL << VrirParser::Float64Tok)
      | (1ULL << VrirParser::BoolTok))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(356);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrCtype) {
      setState(354);
      match(VrirParser::AttrCtype);
      setState(355);
      match(VrirParser::Intval);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArraytypeContext ------------------------------------------------------------------

VrirParser::ArraytypeContext::ArraytypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ArraytypeContext::ArrayTypeTok() {
  return getToken(VrirParser::ArrayTypeTok, 0);
}

VrirParser::VtypeContext* VrirParser::ArraytypeContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::ArrayAttrContext *> VrirParser::ArraytypeContext::arrayAttr() {
  return getRuleContexts<VrirParser::ArrayAttrContext>();
}

VrirParser::ArrayAttrContext* VrirParser::ArraytypeContext::arrayAttr(size_t i) {
  return getRuleContext<VrirParser::ArrayAttrContext>(i);
}


size_t VrirParser::ArraytypeContext::getRuleIndex() const {
  return VrirParser::RuleArraytype;
}


VrirParser::ArraytypeContext* VrirParser::arraytype() {
  ArraytypeContext *_localctx = _tracker.createInstance<ArraytypeContext>(_ctx, getState());
  enterRule(_localctx, 26, VrirParser::RuleArraytype);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(358);
    match(VrirParser::ArrayTypeTok);
    setState(362);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrLayout

    || _la == VrirParser::AttrNdims) {
      setState(359);
      arrayAttr();
      setState(364);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(365);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArrayAttrContext ------------------------------------------------------------------

VrirParser::ArrayAttrContext::ArrayAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ArrayAttrContext::AttrLayout() {
  return getToken(VrirParser::AttrLayout, 0);
}

VrirParser::TextContext* VrirParser::ArrayAttrContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

tree::TerminalNode* VrirParser::ArrayAttrContext::AttrNdims() {
  return getToken(VrirParser::AttrNdims, 0);
}

tree::TerminalNode* VrirParser::ArrayAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}


size_t VrirParser::ArrayAttrContext::getRuleIndex() const {
  return VrirParser::RuleArrayAttr;
}


VrirParser::ArrayAttrContext* VrirParser::arrayAttr() {
  ArrayAttrContext *_localctx = _tracker.createInstance<ArrayAttrContext>(_ctx, getState());
  enterRule(_localctx, 28, VrirParser::RuleArrayAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(371);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrLayout: {
        enterOuterAlt(_localctx, 1);
        setState(367);
        match(VrirParser::AttrLayout);
        setState(368);
        text();
        break;
      }

      case VrirParser::AttrNdims: {
        enterOuterAlt(_localctx, 2);
        setState(369);
        match(VrirParser::AttrNdims);
        setState(370);
        match(VrirParser::Intval);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TupletypeContext ------------------------------------------------------------------

VrirParser::TupletypeContext::TupletypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::TupletypeContext::TupleTypeTok() {
  return getToken(VrirParser::TupleTypeTok, 0);
}

std::vector<VrirParser::VtypeContext *> VrirParser::TupletypeContext::vtype() {
  return getRuleContexts<VrirParser::VtypeContext>();
}

VrirParser::VtypeContext* VrirParser::TupletypeContext::vtype(size_t i) {
  return getRuleContext<VrirParser::VtypeContext>(i);
}


size_t VrirParser::TupletypeContext::getRuleIndex() const {
  return VrirParser::RuleTupletype;
}


VrirParser::TupletypeContext* VrirParser::tupletype() {
  TupletypeContext *_localctx = _tracker.createInstance<TupletypeContext>(_ctx, getState());
  enterRule(_localctx, 30, VrirParser::RuleTupletype);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(373);
    match(VrirParser::TupleTypeTok);
    setState(377);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp

    || _la == VrirParser::VoidTok) {
      setState(374);
      vtype();
      setState(379);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DomaintypeContext ------------------------------------------------------------------

VrirParser::DomaintypeContext::DomaintypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::DomaintypeContext::DomainTypeTok() {
  return getToken(VrirParser::DomainTypeTok, 0);
}

tree::TerminalNode* VrirParser::DomaintypeContext::AttrNdims() {
  return getToken(VrirParser::AttrNdims, 0);
}

tree::TerminalNode* VrirParser::DomaintypeContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

std::vector<VrirParser::VtypeContext *> VrirParser::DomaintypeContext::vtype() {
  return getRuleContexts<VrirParser::VtypeContext>();
}

VrirParser::VtypeContext* VrirParser::DomaintypeContext::vtype(size_t i) {
  return getRuleContext<VrirParser::VtypeContext>(i);
}


size_t VrirParser::DomaintypeContext::getRuleIndex() const {
  return VrirParser::RuleDomaintype;
}


VrirParser::DomaintypeContext* VrirParser::domaintype() {
  DomaintypeContext *_localctx = _tracker.createInstance<DomaintypeContext>(_ctx, getState());
  enterRule(_localctx, 32, VrirParser::RuleDomaintype);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(380);
    match(VrirParser::DomainTypeTok);
    setState(383);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrNdims) {
      setState(381);
      match(VrirParser::AttrNdims);
      setState(382);
      match(VrirParser::Intval);
    }
    setState(386); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(385);
      vtype();
      setState(388); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp

    || _la == VrirParser::VoidTok);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FntypeContext ------------------------------------------------------------------

VrirParser::FntypeContext::FntypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::FntypeContext::FnTypeTok() {
  return getToken(VrirParser::FnTypeTok, 0);
}

std::vector<VrirParser::FntypePartContext *> VrirParser::FntypeContext::fntypePart() {
  return getRuleContexts<VrirParser::FntypePartContext>();
}

VrirParser::FntypePartContext* VrirParser::FntypeContext::fntypePart(size_t i) {
  return getRuleContext<VrirParser::FntypePartContext>(i);
}


size_t VrirParser::FntypeContext::getRuleIndex() const {
  return VrirParser::RuleFntype;
}


VrirParser::FntypeContext* VrirParser::fntype() {
  FntypeContext *_localctx = _tracker.createInstance<FntypeContext>(_ctx, getState());
  enterRule(_localctx, 34, VrirParser::RuleFntype);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(390);
    match(VrirParser::FnTypeTok);
    setState(394);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(391);
      fntypePart();
      setState(396);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FntypePartContext ------------------------------------------------------------------

VrirParser::FntypePartContext::FntypePartContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::FntypePartContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::FntypePartContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

tree::TerminalNode* VrirParser::FntypePartContext::IntypesTok() {
  return getToken(VrirParser::IntypesTok, 0);
}

tree::TerminalNode* VrirParser::FntypePartContext::OuttypesTok() {
  return getToken(VrirParser::OuttypesTok, 0);
}

VrirParser::TypeBodyContext* VrirParser::FntypePartContext::typeBody() {
  return getRuleContext<VrirParser::TypeBodyContext>(0);
}

std::vector<VrirParser::VtypeContext *> VrirParser::FntypePartContext::vtype() {
  return getRuleContexts<VrirParser::VtypeContext>();
}

VrirParser::VtypeContext* VrirParser::FntypePartContext::vtype(size_t i) {
  return getRuleContext<VrirParser::VtypeContext>(i);
}


size_t VrirParser::FntypePartContext::getRuleIndex() const {
  return VrirParser::RuleFntypePart;
}


VrirParser::FntypePartContext* VrirParser::fntypePart() {
  FntypePartContext *_localctx = _tracker.createInstance<FntypePartContext>(_ctx, getState());
  enterRule(_localctx, 36, VrirParser::RuleFntypePart);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(397);
    match(VrirParser::Lp);
    setState(413);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::IntypesTok: {
        setState(398);
        match(VrirParser::IntypesTok);
        setState(402);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VrirParser::Lp

        || _la == VrirParser::VoidTok) {
          setState(399);
          vtype();
          setState(404);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VrirParser::OuttypesTok: {
        setState(405);
        match(VrirParser::OuttypesTok);
        setState(409);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VrirParser::Lp

        || _la == VrirParser::VoidTok) {
          setState(406);
          vtype();
          setState(411);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int8Tok:
      case VrirParser::Int16Tok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Uint8Tok:
      case VrirParser::Uint16Tok:
      case VrirParser::Uint32Tok:
      case VrirParser::Uint64Tok:
      case VrirParser::Float16Tok:
      case VrirParser::Bfloat16Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok:
      case VrirParser::ArrayTypeTok:
      case VrirParser::TupleTypeTok:
      case VrirParser::DomainTypeTok:
      case VrirParser::FnTypeTok: {
        setState(412);
        typeBody();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(415);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- VoidtypeContext ------------------------------------------------------------------

VrirParser::VoidtypeContext::VoidtypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::VoidtypeContext::VoidTok() {
  return getToken(VrirParser::VoidTok, 0);
}

tree::TerminalNode* VrirParser::VoidtypeContext::VtypeTok() {
  return getToken(VrirParser::VtypeTok, 0);
}

tree::TerminalNode* VrirParser::VoidtypeContext::AttrName() {
  return getToken(VrirParser::AttrName, 0);
}


size_t VrirParser::VoidtypeContext::getRuleIndex() const {
  return VrirParser::RuleVoidtype;
}


VrirParser::VoidtypeContext* VrirParser::voidtype() {
  VoidtypeContext *_localctx = _tracker.createInstance<VoidtypeContext>(_ctx, getState());
  enterRule(_localctx, 38, VrirParser::RuleVoidtype);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(421);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::VoidTok: {
        enterOuterAlt(_localctx, 1);
        setState(417);
        match(VrirParser::VoidTok);
        break;
      }

      case VrirParser::VtypeTok: {
        enterOuterAlt(_localctx, 2);
        setState(418);
        match(VrirParser::VtypeTok);
        setState(419);
        match(VrirParser::AttrName);
        setState(420);
        match(VrirParser::VoidTok);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NulltypeContext ------------------------------------------------------------------

VrirParser::NulltypeContext::NulltypeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::NulltypeContext::NullTok() {
  return getToken(VrirParser::NullTok, 0);
}

tree::TerminalNode* VrirParser::NulltypeContext::AttrCtype() {
  return getToken(VrirParser::AttrCtype, 0);
}

tree::TerminalNode* VrirParser::NulltypeContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}


size_t VrirParser::NulltypeContext::getRuleIndex() const {
  return VrirParser::RuleNulltype;
}


VrirParser::NulltypeContext* VrirParser::nulltype() {
  NulltypeContext *_localctx = _tracker.createInstance<NulltypeContext>(_ctx, getState());
  enterRule(_localctx, 40, VrirParser::RuleNulltype);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(423);
    match(VrirParser::NullTok);
    setState(426);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrCtype) {
      setState(424);
      match(VrirParser::AttrCtype);
      setState(425);
      match(VrirParser::Intval);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- StatementContext ------------------------------------------------------------------

VrirParser::StatementContext::StatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::StatementContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

VrirParser::StatementBodyContext* VrirParser::StatementContext::statementBody() {
  return getRuleContext<VrirParser::StatementBodyContext>(0);
}

tree::TerminalNode* VrirParser::StatementContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::StatementContext::getRuleIndex() const {
  return VrirParser::RuleStatement;
}


VrirParser::StatementContext* VrirParser::statement() {
  StatementContext *_localctx = _tracker.createInstance<StatementContext>(_ctx, getState());
  enterRule(_localctx, 42, VrirParser::RuleStatement);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(428);
    match(VrirParser::Lp);
    setState(429);
    statementBody();
    setState(430);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- StatementBodyContext ------------------------------------------------------------------

VrirParser::StatementBodyContext::StatementBodyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::AssignstmtContext* VrirParser::StatementBodyContext::assignstmt() {
  return getRuleContext<VrirParser::AssignstmtContext>(0);
}

VrirParser::StmtlistContext* VrirParser::StatementBodyContext::stmtlist() {
  return getRuleContext<VrirParser::StmtlistContext>(0);
}

VrirParser::ForstmtContext* VrirParser::StatementBodyContext::forstmt() {
  return getRuleContext<VrirParser::ForstmtContext>(0);
}

VrirParser::PforstmtContext* VrirParser::StatementBodyContext::pforstmt() {
  return getRuleContext<VrirParser::PforstmtContext>(0);
}

VrirParser::WhilestmtContext* VrirParser::StatementBodyContext::whilestmt() {
  return getRuleContext<VrirParser::WhilestmtContext>(0);
}

VrirParser::IfstmtContext* VrirParser::StatementBodyContext::ifstmt() {
  return getRuleContext<VrirParser::IfstmtContext>(0);
}

VrirParser::BreakstmtContext* VrirParser::StatementBodyContext::breakstmt() {
  return getRuleContext<VrirParser::BreakstmtContext>(0);
}

VrirParser::ContinuestmtContext* VrirParser::StatementBodyContext::continuestmt() {
  return getRuleContext<VrirParser::ContinuestmtContext>(0);
}

VrirParser::ReturnstmtContext* VrirParser::StatementBodyContext::returnstmt() {
  return getRuleContext<VrirParser::ReturnstmtContext>(0);
}

VrirParser::RaisestmtContext* VrirParser::StatementBodyContext::raisestmt() {
  return getRuleContext<VrirParser::RaisestmtContext>(0);
}

VrirParser::ExprstmtContext* VrirParser::StatementBodyContext::exprstmt() {
  return getRuleContext<VrirParser::ExprstmtContext>(0);
}


size_t VrirParser::StatementBodyContext::getRuleIndex() const {
  return VrirParser::RuleStatementBody;
}


VrirParser::StatementBodyContext* VrirParser::statementBody() {
  StatementBodyContext *_localctx = _tracker.createInstance<StatementBodyContext>(_ctx, getState());
  enterRule(_localctx, 44, VrirParser::RuleStatementBody);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(443);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AssignstmtTok: {
        enterOuterAlt(_localctx, 1);
        setState(432);
        assignstmt();
        break;
      }

      case VrirParser::StmtlistTok: {
        enterOuterAlt(_localctx, 2);
        setState(433);
        stmtlist();
        break;
      }

      case VrirParser::ForstmtTok: {
        enterOuterAlt(_localctx, 3);
        setState(434);
        forstmt();
        break;
      }

      case VrirParser::PforstmtTok: {
        enterOuterAlt(_localctx, 4);
        setState(435);
        pforstmt();
        break;
      }

      case VrirParser::WhilestmtTok: {
        enterOuterAlt(_localctx, 5);
        setState(436);
        whilestmt();
        break;
      }

      case VrirParser::IfstmtTok: {
        enterOuterAlt(_localctx, 6);
        setState(437);
        ifstmt();
        break;
      }

      case VrirParser::BreakTok: {
        enterOuterAlt(_localctx, 7);
        setState(438);
        breakstmt();
        break;
      }

      case VrirParser::ContinueTok: {
        enterOuterAlt(_localctx, 8);
        setState(439);
        continuestmt();
        break;
      }

      case VrirParser::ReturnstmtTok: {
        enterOuterAlt(_localctx, 9);
        setState(440);
        returnstmt();
        break;
      }

      case VrirParser::RaiseTok: {
        enterOuterAlt(_localctx, 10);
        setState(441);
        raisestmt();
        break;
      }

      case VrirParser::ExprstmtTok: {
        enterOuterAlt(_localctx, 11);
        setState(442);
        exprstmt();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AssignstmtContext ------------------------------------------------------------------

VrirParser::AssignstmtContext::AssignstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::AssignstmtContext::AssignstmtTok() {
  return getToken(VrirParser::AssignstmtTok, 0);
}

VrirParser::LhsContext* VrirParser::AssignstmtContext::lhs() {
  return getRuleContext<VrirParser::LhsContext>(0);
}

VrirParser::RhsContext* VrirParser::AssignstmtContext::rhs() {
  return getRuleContext<VrirParser::RhsContext>(0);
}

VrirParser::LocAttrContext* VrirParser::AssignstmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::AssignstmtContext::getRuleIndex() const {
  return VrirParser::RuleAssignstmt;
}


VrirParser::AssignstmtContext* VrirParser::assignstmt() {
  AssignstmtContext *_localctx = _tracker.createInstance<AssignstmtContext>(_ctx, getState());
  enterRule(_localctx, 46, VrirParser::RuleAssignstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(445);
    match(VrirParser::AssignstmtTok);
    setState(447);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(446);
      locAttr();
    }
    setState(449);
    lhs();
    setState(450);
    rhs();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LhsContext ------------------------------------------------------------------

VrirParser::LhsContext::LhsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::LhsContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::LhsContext::LhsTok() {
  return getToken(VrirParser::LhsTok, 0);
}

tree::TerminalNode* VrirParser::LhsContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::ExprContext *> VrirParser::LhsContext::expr() {
  return getRuleContexts<VrirParser::ExprContext>();
}

VrirParser::ExprContext* VrirParser::LhsContext::expr(size_t i) {
  return getRuleContext<VrirParser::ExprContext>(i);
}


size_t VrirParser::LhsContext::getRuleIndex() const {
  return VrirParser::RuleLhs;
}


VrirParser::LhsContext* VrirParser::lhs() {
  LhsContext *_localctx = _tracker.createInstance<LhsContext>(_ctx, getState());
  enterRule(_localctx, 48, VrirParser::RuleLhs);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(452);
    match(VrirParser::Lp);
    setState(453);
    match(VrirParser::LhsTok);
    setState(457);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(454);
      expr();
      setState(459);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(460);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RhsContext ------------------------------------------------------------------

VrirParser::RhsContext::RhsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RhsContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::RhsContext::RhsTok() {
  return getToken(VrirParser::RhsTok, 0);
}

tree::TerminalNode* VrirParser::RhsContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

VrirParser::ExprContext* VrirParser::RhsContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}


size_t VrirParser::RhsContext::getRuleIndex() const {
  return VrirParser::RuleRhs;
}


VrirParser::RhsContext* VrirParser::rhs() {
  RhsContext *_localctx = _tracker.createInstance<RhsContext>(_ctx, getState());
  enterRule(_localctx, 50, VrirParser::RuleRhs);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(462);
    match(VrirParser::Lp);
    setState(463);
    match(VrirParser::RhsTok);
    setState(465);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(464);
      expr();
    }
    setState(467);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- StmtlistContext ------------------------------------------------------------------

VrirParser::StmtlistContext::StmtlistContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::StmtlistContext::StmtlistTok() {
  return getToken(VrirParser::StmtlistTok, 0);
}

tree::TerminalNode* VrirParser::StmtlistContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::StmtlistContext::StmtsTok() {
  return getToken(VrirParser::StmtsTok, 0);
}

tree::TerminalNode* VrirParser::StmtlistContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::StmtlistAttrContext *> VrirParser::StmtlistContext::stmtlistAttr() {
  return getRuleContexts<VrirParser::StmtlistAttrContext>();
}

VrirParser::StmtlistAttrContext* VrirParser::StmtlistContext::stmtlistAttr(size_t i) {
  return getRuleContext<VrirParser::StmtlistAttrContext>(i);
}

std::vector<VrirParser::StatementContext *> VrirParser::StmtlistContext::statement() {
  return getRuleContexts<VrirParser::StatementContext>();
}

VrirParser::StatementContext* VrirParser::StmtlistContext::statement(size_t i) {
  return getRuleContext<VrirParser::StatementContext>(i);
}


size_t VrirParser::StmtlistContext::getRuleIndex() const {
  return VrirParser::RuleStmtlist;
}


VrirParser::StmtlistContext* VrirParser::stmtlist() {
  StmtlistContext *_localctx = _tracker.createInstance<StmtlistContext>(_ctx, getState());
  enterRule(_localctx, 52, VrirParser::RuleStmtlist);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(469);
    match(VrirParser::StmtlistTok);
    setState(473);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrLoc

    || _la == VrirParser::AttrOnGpu) {
      setState(470);
      stmtlistAttr();
      setState(475);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(476);
    match(VrirParser::Lp);
    setState(477);
    match(VrirParser::StmtsTok);
    setState(481);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(478);
      statement();
      setState(483);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(484);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- StmtlistAttrContext ------------------------------------------------------------------

VrirParser::StmtlistAttrContext::StmtlistAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::StmtlistAttrContext::AttrOnGpu() {
  return getToken(VrirParser::AttrOnGpu, 0);
}

VrirParser::BoolvalContext* VrirParser::StmtlistAttrContext::boolval() {
  return getRuleContext<VrirParser::BoolvalContext>(0);
}

VrirParser::LocAttrContext* VrirParser::StmtlistAttrContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::StmtlistAttrContext::getRuleIndex() const {
  return VrirParser::RuleStmtlistAttr;
}


VrirParser::StmtlistAttrContext* VrirParser::stmtlistAttr() {
  StmtlistAttrContext *_localctx = _tracker.createInstance<StmtlistAttrContext>(_ctx, getState());
  enterRule(_localctx, 54, VrirParser::RuleStmtlistAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(489);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrOnGpu: {
        enterOuterAlt(_localctx, 1);
        setState(486);
        match(VrirParser::AttrOnGpu);
        setState(487);
        boolval();
        break;
      }

      case VrirParser::AttrLoc: {
        enterOuterAlt(_localctx, 2);
        setState(488);
        locAttr();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ForstmtContext ------------------------------------------------------------------

VrirParser::ForstmtContext::ForstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ForstmtContext::ForstmtTok() {
  return getToken(VrirParser::ForstmtTok, 0);
}

VrirParser::ItervarsContext* VrirParser::ForstmtContext::itervars() {
  return getRuleContext<VrirParser::ItervarsContext>(0);
}

VrirParser::LoopdomainContext* VrirParser::ForstmtContext::loopdomain() {
  return getRuleContext<VrirParser::LoopdomainContext>(0);
}

VrirParser::BodyContext* VrirParser::ForstmtContext::body() {
  return getRuleContext<VrirParser::BodyContext>(0);
}

VrirParser::LocAttrContext* VrirParser::ForstmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::ForstmtContext::getRuleIndex() const {
  return VrirParser::RuleForstmt;
}


VrirParser::ForstmtContext* VrirParser::forstmt() {
  ForstmtContext *_localctx = _tracker.createInstance<ForstmtContext>(_ctx, getState());
  enterRule(_localctx, 56, VrirParser::RuleForstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(491);
    match(VrirParser::ForstmtTok);
    setState(493);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(492);
      locAttr();
    }
    setState(495);
    itervars();
    setState(496);
    loopdomain();
    setState(497);
    body();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ItervarsContext ------------------------------------------------------------------

VrirParser::ItervarsContext::ItervarsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ItervarsContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ItervarsContext::ItervarsTok() {
  return getToken(VrirParser::ItervarsTok, 0);
}

tree::TerminalNode* VrirParser::ItervarsContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::SymrefContext *> VrirParser::ItervarsContext::symref() {
  return getRuleContexts<VrirParser::SymrefContext>();
}

VrirParser::SymrefContext* VrirParser::ItervarsContext::symref(size_t i) {
  return getRuleContext<VrirParser::SymrefContext>(i);
}


size_t VrirParser::ItervarsContext::getRuleIndex() const {
  return VrirParser::RuleItervars;
}


VrirParser::ItervarsContext* VrirParser::itervars() {
  ItervarsContext *_localctx = _tracker.createInstance<ItervarsContext>(_ctx, getState());
  enterRule(_localctx, 58, VrirParser::RuleItervars);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(499);
    match(VrirParser::Lp);
    setState(500);
    match(VrirParser::ItervarsTok);
    setState(502); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(501);
      symref();
      setState(504); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp || _la == VrirParser::Intval);
    setState(506);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SymrefContext ------------------------------------------------------------------

VrirParser::SymrefContext::SymrefContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::SymrefContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::SymrefContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::SymrefContext::SymTok() {
  return getToken(VrirParser::SymTok, 0);
}

tree::TerminalNode* VrirParser::SymrefContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::SymrefContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::SymrefContext::getRuleIndex() const {
  return VrirParser::RuleSymref;
}


VrirParser::SymrefContext* VrirParser::symref() {
  SymrefContext *_localctx = _tracker.createInstance<SymrefContext>(_ctx, getState());
  enterRule(_localctx, 60, VrirParser::RuleSymref);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(514);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::Intval: {
        enterOuterAlt(_localctx, 1);
        setState(508);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::Lp: {
        enterOuterAlt(_localctx, 2);
        setState(509);
        match(VrirParser::Lp);
        setState(510);
        match(VrirParser::SymTok);
        setState(511);
        match(VrirParser::AttrId);
        setState(512);
        match(VrirParser::Intval);
        setState(513);
        match(VrirParser::Rp);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LoopdomainContext ------------------------------------------------------------------

VrirParser::LoopdomainContext::LoopdomainContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::LoopdomainContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::LoopdomainContext::LoopDomainTok() {
  return getToken(VrirParser::LoopDomainTok, 0);
}

VrirParser::ExprContext* VrirParser::LoopdomainContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::LoopdomainContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::LoopdomainContext::getRuleIndex() const {
  return VrirParser::RuleLoopdomain;
}


VrirParser::LoopdomainContext* VrirParser::loopdomain() {
  LoopdomainContext *_localctx = _tracker.createInstance<LoopdomainContext>(_ctx, getState());
  enterRule(_localctx, 62, VrirParser::RuleLoopdomain);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(516);
    match(VrirParser::Lp);
    setState(517);
    match(VrirParser::LoopDomainTok);
    setState(518);
    expr();
    setState(519);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- PforstmtContext ------------------------------------------------------------------

VrirParser::PforstmtContext::PforstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::PforstmtContext::PforstmtTok() {
  return getToken(VrirParser::PforstmtTok, 0);
}

VrirParser::ItervarsContext* VrirParser::PforstmtContext::itervars() {
  return getRuleContext<VrirParser::ItervarsContext>(0);
}

VrirParser::LoopdomainContext* VrirParser::PforstmtContext::loopdomain() {
  return getRuleContext<VrirParser::LoopdomainContext>(0);
}

std::vector<VrirParser::PforAttrContext *> VrirParser::PforstmtContext::pforAttr() {
  return getRuleContexts<VrirParser::PforAttrContext>();
}

VrirParser::PforAttrContext* VrirParser::PforstmtContext::pforAttr(size_t i) {
  return getRuleContext<VrirParser::PforAttrContext>(i);
}

std::vector<VrirParser::PforPartContext *> VrirParser::PforstmtContext::pforPart() {
  return getRuleContexts<VrirParser::PforPartContext>();
}

VrirParser::PforPartContext* VrirParser::PforstmtContext::pforPart(size_t i) {
  return getRuleContext<VrirParser::PforPartContext>(i);
}


size_t VrirParser::PforstmtContext::getRuleIndex() const {
  return VrirParser::RulePforstmt;
}


VrirParser::PforstmtContext* VrirParser::pforstmt() {
  PforstmtContext *_localctx = _tracker.createInstance<PforstmtContext>(_ctx, getState());
  enterRule(_localctx, 64, VrirParser::RulePforstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(521);
    match(VrirParser::PforstmtTok);
    setState(525);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrLoc

    || _la == VrirParser::AttrShared) {
      setState(522);
      pforAttr();
      setState(527);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(528);
    itervars();
    setState(529);
    loopdomain();
    setState(531); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(530);
      pforPart();
      setState(533); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- PforAttrContext ------------------------------------------------------------------

VrirParser::PforAttrContext::PforAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::PforAttrContext::AttrShared() {
  return getToken(VrirParser::AttrShared, 0);
}

tree::TerminalNode* VrirParser::PforAttrContext::AutoTok() {
  return getToken(VrirParser::AutoTok, 0);
}

VrirParser::LocAttrContext* VrirParser::PforAttrContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::PforAttrContext::getRuleIndex() const {
  return VrirParser::RulePforAttr;
}


VrirParser::PforAttrContext* VrirParser::pforAttr() {
  PforAttrContext *_localctx = _tracker.createInstance<PforAttrContext>(_ctx, getState());
  enterRule(_localctx, 66, VrirParser::RulePforAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(538);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrShared: {
        enterOuterAlt(_localctx, 1);
        setState(535);
        match(VrirParser::AttrShared);
        setState(536);
        match(VrirParser::AutoTok);
        break;
      }

      case VrirParser::AttrLoc: {
        enterOuterAlt(_localctx, 2);
        setState(537);
        locAttr();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- PforPartContext ------------------------------------------------------------------

VrirParser::PforPartContext::PforPartContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::PforPartContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::PforPartContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

tree::TerminalNode* VrirParser::PforPartContext::SharedTok() {
  return getToken(VrirParser::SharedTok, 0);
}

tree::TerminalNode* VrirParser::PforPartContext::BodyTok() {
  return getToken(VrirParser::BodyTok, 0);
}

tree::TerminalNode* VrirParser::PforPartContext::AutoTok() {
  return getToken(VrirParser::AutoTok, 0);
}

std::vector<VrirParser::StatementContext *> VrirParser::PforPartContext::statement() {
  return getRuleContexts<VrirParser::StatementContext>();
}

VrirParser::StatementContext* VrirParser::PforPartContext::statement(size_t i) {
  return getRuleContext<VrirParser::StatementContext>(i);
}

std::vector<VrirParser::SymrefContext *> VrirParser::PforPartContext::symref() {
  return getRuleContexts<VrirParser::SymrefContext>();
}

VrirParser::SymrefContext* VrirParser::PforPartContext::symref(size_t i) {
  return getRuleContext<VrirParser::SymrefContext>(i);
}


size_t VrirParser::PforPartContext::getRuleIndex() const {
  return VrirParser::RulePforPart;
}


VrirParser::PforPartContext* VrirParser::pforPart() {
  PforPartContext *_localctx = _tracker.createInstance<PforPartContext>(_ctx, getState());
  enterRule(_localctx, 68, VrirParser::RulePforPart);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(540);
    match(VrirParser::Lp);
    setState(558);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::SharedTok: {
        setState(541);
        match(VrirParser::SharedTok);
        setState(549);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VrirParser::AutoTok: {
            setState(542);
            match(VrirParser::AutoTok);
            break;
          }

          case VrirParser::Lp:
          case VrirParser::Rp:
          case VrirParser::Intval: {
            setState(546);
            _errHandler->sync(this);
            _la = _input->LA(1);
            while (_la == VrirParser::Lp || _la == VrirParser::Intval) {
              setState(543);
              symref();
              setState(548);
              _errHandler->sync(this);
              _la = _input->LA(1);
            }
            break;
          }

        default:
          throw NoViableAltException(this);
        }
        break;
      }

      case VrirParser::BodyTok: {
        setState(551);
        match(VrirParser::BodyTok);
        setState(555);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VrirParser::Lp) {
          setState(552);
          statement();
          setState(557);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(560);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- WhilestmtContext ------------------------------------------------------------------

VrirParser::WhilestmtContext::WhilestmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::WhilestmtContext::WhilestmtTok() {
  return getToken(VrirParser::WhilestmtTok, 0);
}

VrirParser::TestContext* VrirParser::WhilestmtContext::test() {
  return getRuleContext<VrirParser::TestContext>(0);
}

VrirParser::BodyContext* VrirParser::WhilestmtContext::body() {
  return getRuleContext<VrirParser::BodyContext>(0);
}

VrirParser::LocAttrContext* VrirParser::WhilestmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::WhilestmtContext::getRuleIndex() const {
  return VrirParser::RuleWhilestmt;
}


VrirParser::WhilestmtContext* VrirParser::whilestmt() {
  WhilestmtContext *_localctx = _tracker.createInstance<WhilestmtContext>(_ctx, getState());
  enterRule(_localctx, 70, VrirParser::RuleWhilestmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(562);
    match(VrirParser::WhilestmtTok);
    setState(564);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(563);
      locAttr();
    }
    setState(566);
    test();
    setState(567);
    body();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TestContext ------------------------------------------------------------------

VrirParser::TestContext::TestContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::TestContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::TestContext::TestTok() {
  return getToken(VrirParser::TestTok, 0);
}

VrirParser::ExprContext* VrirParser::TestContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::TestContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::TestContext::getRuleIndex() const {
  return VrirParser::RuleTest;
}


VrirParser::TestContext* VrirParser::test() {
  TestContext *_localctx = _tracker.createInstance<TestContext>(_ctx, getState());
  enterRule(_localctx, 72, VrirParser::RuleTest);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(569);
    match(VrirParser::Lp);
    setState(570);
    match(VrirParser::TestTok);
    setState(571);
    expr();
    setState(572);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IfstmtContext ------------------------------------------------------------------

VrirParser::IfstmtContext::IfstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::IfstmtContext::IfstmtTok() {
  return getToken(VrirParser::IfstmtTok, 0);
}

VrirParser::TestContext* VrirParser::IfstmtContext::test() {
  return getRuleContext<VrirParser::TestContext>(0);
}

VrirParser::IfBodyContext* VrirParser::IfstmtContext::ifBody() {
  return getRuleContext<VrirParser::IfBodyContext>(0);
}

VrirParser::LocAttrContext* VrirParser::IfstmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}

VrirParser::ElseBodyContext* VrirParser::IfstmtContext::elseBody() {
  return getRuleContext<VrirParser::ElseBodyContext>(0);
}


size_t VrirParser::IfstmtContext::getRuleIndex() const {
  return VrirParser::RuleIfstmt;
}


VrirParser::IfstmtContext* VrirParser::ifstmt() {
  IfstmtContext *_localctx = _tracker.createInstance<IfstmtContext>(_ctx, getState());
  enterRule(_localctx, 74, VrirParser::RuleIfstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(574);
    match(VrirParser::IfstmtTok);
    setState(576);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(575);
      locAttr();
    }
    setState(578);
    test();
    setState(579);
    ifBody();
    setState(581);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(580);
      elseBody();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IfBodyContext ------------------------------------------------------------------

VrirParser::IfBodyContext::IfBodyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::IfBodyContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::IfBodyContext::IfTok() {
  return getToken(VrirParser::IfTok, 0);
}

tree::TerminalNode* VrirParser::IfBodyContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::StatementContext *> VrirParser::IfBodyContext::statement() {
  return getRuleContexts<VrirParser::StatementContext>();
}

VrirParser::StatementContext* VrirParser::IfBodyContext::statement(size_t i) {
  return getRuleContext<VrirParser::StatementContext>(i);
}


size_t VrirParser::IfBodyContext::getRuleIndex() const {
  return VrirParser::RuleIfBody;
}


VrirParser::IfBodyContext* VrirParser::ifBody() {
  IfBodyContext *_localctx = _tracker.createInstance<IfBodyContext>(_ctx, getState());
  enterRule(_localctx, 76, VrirParser::RuleIfBody);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(583);
    match(VrirParser::Lp);
    setState(584);
    match(VrirParser::IfTok);
    setState(588);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(585);
      statement();
      setState(590);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(591);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ElseBodyContext ------------------------------------------------------------------

VrirParser::ElseBodyContext::ElseBodyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ElseBodyContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ElseBodyContext::ElseTok() {
  return getToken(VrirParser::ElseTok, 0);
}

tree::TerminalNode* VrirParser::ElseBodyContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::StatementContext *> VrirParser::ElseBodyContext::statement() {
  return getRuleContexts<VrirParser::StatementContext>();
}

VrirParser::StatementContext* VrirParser::ElseBodyContext::statement(size_t i) {
  return getRuleContext<VrirParser::StatementContext>(i);
}


size_t VrirParser::ElseBodyContext::getRuleIndex() const {
  return VrirParser::RuleElseBody;
}


VrirParser::ElseBodyContext* VrirParser::elseBody() {
  ElseBodyContext *_localctx = _tracker.createInstance<ElseBodyContext>(_ctx, getState());
  enterRule(_localctx, 78, VrirParser::RuleElseBody);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(593);
    match(VrirParser::Lp);
    setState(594);
    match(VrirParser::ElseTok);
    setState(598);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(595);
      statement();
      setState(600);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(601);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BreakstmtContext ------------------------------------------------------------------

VrirParser::BreakstmtContext::BreakstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::BreakstmtContext::BreakTok() {
  return getToken(VrirParser::BreakTok, 0);
}

VrirParser::LocAttrContext* VrirParser::BreakstmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::BreakstmtContext::getRuleIndex() const {
  return VrirParser::RuleBreakstmt;
}


VrirParser::BreakstmtContext* VrirParser::breakstmt() {
  BreakstmtContext *_localctx = _tracker.createInstance<BreakstmtContext>(_ctx, getState());
  enterRule(_localctx, 80, VrirParser::RuleBreakstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(603);
    match(VrirParser::BreakTok);
    setState(605);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(604);
      locAttr();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ContinuestmtContext ------------------------------------------------------------------

VrirParser::ContinuestmtContext::ContinuestmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ContinuestmtContext::ContinueTok() {
  return getToken(VrirParser::ContinueTok, 0);
}

VrirParser::LocAttrContext* VrirParser::ContinuestmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::ContinuestmtContext::getRuleIndex() const {
  return VrirParser::RuleContinuestmt;
}


VrirParser::ContinuestmtContext* VrirParser::continuestmt() {
  ContinuestmtContext *_localctx = _tracker.createInstance<ContinuestmtContext>(_ctx, getState());
  enterRule(_localctx, 82, VrirParser::RuleContinuestmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(607);
    match(VrirParser::ContinueTok);
    setState(609);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(608);
      locAttr();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ReturnstmtContext ------------------------------------------------------------------

VrirParser::ReturnstmtContext::ReturnstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ReturnstmtContext::ReturnstmtTok() {
  return getToken(VrirParser::ReturnstmtTok, 0);
}

VrirParser::LocAttrContext* VrirParser::ReturnstmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}

tree::TerminalNode* VrirParser::ReturnstmtContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ReturnstmtContext::ExprsTok() {
  return getToken(VrirParser::ExprsTok, 0);
}

tree::TerminalNode* VrirParser::ReturnstmtContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::ExprContext *> VrirParser::ReturnstmtContext::expr() {
  return getRuleContexts<VrirParser::ExprContext>();
}

VrirParser::ExprContext* VrirParser::ReturnstmtContext::expr(size_t i) {
  return getRuleContext<VrirParser::ExprContext>(i);
}


size_t VrirParser::ReturnstmtContext::getRuleIndex() const {
  return VrirParser::RuleReturnstmt;
}


VrirParser::ReturnstmtContext* VrirParser::returnstmt() {
  ReturnstmtContext *_localctx = _tracker.createInstance<ReturnstmtContext>(_ctx, getState());
  enterRule(_localctx, 84, VrirParser::RuleReturnstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(611);
    match(VrirParser::ReturnstmtTok);
    setState(613);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(612);
      locAttr();
    }
    setState(624);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(615);
      match(VrirParser::Lp);
      setState(616);
      match(VrirParser::ExprsTok);
      setState(620);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VrirParser::Lp) {
        setState(617);
        expr();
        setState(622);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
      setState(623);
      match(VrirParser::Rp);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RaisestmtContext ------------------------------------------------------------------

VrirParser::RaisestmtContext::RaisestmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RaisestmtContext::RaiseTok() {
  return getToken(VrirParser::RaiseTok, 0);
}

std::vector<VrirParser::RaiseAttrContext *> VrirParser::RaisestmtContext::raiseAttr() {
  return getRuleContexts<VrirParser::RaiseAttrContext>();
}

VrirParser::RaiseAttrContext* VrirParser::RaisestmtContext::raiseAttr(size_t i) {
  return getRuleContext<VrirParser::RaiseAttrContext>(i);
}

VrirParser::ArgsContext* VrirParser::RaisestmtContext::args() {
  return getRuleContext<VrirParser::ArgsContext>(0);
}


size_t VrirParser::RaisestmtContext::getRuleIndex() const {
  return VrirParser::RuleRaisestmt;
}


VrirParser::RaisestmtContext* VrirParser::raisestmt() {
  RaisestmtContext *_localctx = _tracker.createInstance<RaisestmtContext>(_ctx, getState());
  enterRule(_localctx, 86, VrirParser::RuleRaisestmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(626);
    match(VrirParser::RaiseTok);
    setState(630);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 113) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 113)) & ((1ULL << (VrirParser::AttrLoc - 113))
      | (1ULL << (VrirParser::AttrCode - 113))
      | (1ULL << (VrirParser::AttrText - 113)))) != 0)) {
      setState(627);
      raiseAttr();
      setState(632);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(634);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(633);
      args();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RaiseAttrContext ------------------------------------------------------------------

VrirParser::RaiseAttrContext::RaiseAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RaiseAttrContext::AttrCode() {
  return getToken(VrirParser::AttrCode, 0);
}

tree::TerminalNode* VrirParser::RaiseAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::RaiseAttrContext::AttrText() {
  return getToken(VrirParser::AttrText, 0);
}

VrirParser::TextContext* VrirParser::RaiseAttrContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::LocAttrContext* VrirParser::RaiseAttrContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::RaiseAttrContext::getRuleIndex() const {
  return VrirParser::RuleRaiseAttr;
}


VrirParser::RaiseAttrContext* VrirParser::raiseAttr() {
  RaiseAttrContext *_localctx = _tracker.createInstance<RaiseAttrContext>(_ctx, getState());
  enterRule(_localctx, 88, VrirParser::RuleRaiseAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(641);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrCode: {
        enterOuterAlt(_localctx, 1);
        setState(636);
        match(VrirParser::AttrCode);
        setState(637);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrText: {
        enterOuterAlt(_localctx, 2);
        setState(638);
        match(VrirParser::AttrText);
        setState(639);
        text();
        break;
      }

      case VrirParser::AttrLoc: {
        enterOuterAlt(_localctx, 3);
        setState(640);
        locAttr();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ExprstmtContext ------------------------------------------------------------------

VrirParser::ExprstmtContext::ExprstmtContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ExprstmtContext::ExprstmtTok() {
  return getToken(VrirParser::ExprstmtTok, 0);
}

VrirParser::ExprContext* VrirParser::ExprstmtContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

VrirParser::LocAttrContext* VrirParser::ExprstmtContext::locAttr() {
  return getRuleContext<VrirParser::LocAttrContext>(0);
}


size_t VrirParser::ExprstmtContext::getRuleIndex() const {
  return VrirParser::RuleExprstmt;
}


VrirParser::ExprstmtContext* VrirParser::exprstmt() {
  ExprstmtContext *_localctx = _tracker.createInstance<ExprstmtContext>(_ctx, getState());
  enterRule(_localctx, 90, VrirParser::RuleExprstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(643);
    match(VrirParser::ExprstmtTok);
    setState(645);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(644);
      locAttr();
    }
    setState(647);
    expr();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ExprContext ------------------------------------------------------------------

VrirParser::ExprContext::ExprContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ExprContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

VrirParser::ExprBodyContext* VrirParser::ExprContext::exprBody() {
  return getRuleContext<VrirParser::ExprBodyContext>(0);
}

tree::TerminalNode* VrirParser::ExprContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::ExprContext::getRuleIndex() const {
  return VrirParser::RuleExpr;
}


VrirParser::ExprContext* VrirParser::expr() {
  ExprContext *_localctx = _tracker.createInstance<ExprContext>(_ctx, getState());
  enterRule(_localctx, 92, VrirParser::RuleExpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(649);
    match(VrirParser::Lp);
    setState(650);
    exprBody();
    setState(651);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ExprBodyContext ------------------------------------------------------------------

VrirParser::ExprBodyContext::ExprBodyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::BinaryContext* VrirParser::ExprBodyContext::binary() {
  return getRuleContext<VrirParser::BinaryContext>(0);
}

VrirParser::LogicContext* VrirParser::ExprBodyContext::logic() {
  return getRuleContext<VrirParser::LogicContext>(0);
}

VrirParser::UnaryContext* VrirParser::ExprBodyContext::unary() {
  return getRuleContext<VrirParser::UnaryContext>(0);
}

VrirParser::NameContext* VrirParser::ExprBodyContext::name() {
  return getRuleContext<VrirParser::NameContext>(0);
}

VrirParser::RealconstContext* VrirParser::ExprBodyContext::realconst() {
  return getRuleContext<VrirParser::RealconstContext>(0);
}

VrirParser::ComplexconstContext* VrirParser::ExprBodyContext::complexconst() {
  return getRuleContext<VrirParser::ComplexconstContext>(0);
}

VrirParser::IndexexprContext* VrirParser::ExprBodyContext::indexexpr() {
  return getRuleContext<VrirParser::IndexexprContext>(0);
}

VrirParser::FncallContext* VrirParser::ExprBodyContext::fncall() {
  return getRuleContext<VrirParser::FncallContext>(0);
}

VrirParser::FnhandleContext* VrirParser::ExprBodyContext::fnhandle() {
  return getRuleContext<VrirParser::FnhandleContext>(0);
}

VrirParser::LibcallContext* VrirParser::ExprBodyContext::libcall() {
  return getRuleContext<VrirParser::LibcallContext>(0);
}

VrirParser::AllocContext* VrirParser::ExprBodyContext::alloc() {
  return getRuleContext<VrirParser::AllocContext>(0);
}

VrirParser::DimContext* VrirParser::ExprBodyContext::dim() {
  return getRuleContext<VrirParser::DimContext>(0);
}

VrirParser::DimvecContext* VrirParser::ExprBodyContext::dimvec() {
  return getRuleContext<VrirParser::DimvecContext>(0);
}

VrirParser::TupleContext* VrirParser::ExprBodyContext::tuple() {
  return getRuleContext<VrirParser::TupleContext>(0);
}

VrirParser::TupleindexContext* VrirParser::ExprBodyContext::tupleindex() {
  return getRuleContext<VrirParser::TupleindexContext>(0);
}

VrirParser::ComplexexprContext* VrirParser::ExprBodyContext::complexexpr() {
  return getRuleContext<VrirParser::ComplexexprContext>(0);
}

VrirParser::RealexprContext* VrirParser::ExprBodyContext::realexpr() {
  return getRuleContext<VrirParser::RealexprContext>(0);
}

VrirParser::ImagexprContext* VrirParser::ExprBodyContext::imagexpr() {
  return getRuleContext<VrirParser::ImagexprContext>(0);
}

VrirParser::RangeContext* VrirParser::ExprBodyContext::range() {
  return getRuleContext<VrirParser::RangeContext>(0);
}

VrirParser::DomainContext* VrirParser::ExprBodyContext::domain() {
  return getRuleContext<VrirParser::DomainContext>(0);
}

VrirParser::XchangeContext* VrirParser::ExprBodyContext::xchange() {
  return getRuleContext<VrirParser::XchangeContext>(0);
}

VrirParser::UnaryplusContext* VrirParser::ExprBodyContext::unaryplus() {
  return getRuleContext<VrirParser::UnaryplusContext>(0);
}


size_t VrirParser::ExprBodyContext::getRuleIndex() const {
  return VrirParser::RuleExprBody;
}


VrirParser::ExprBodyContext* VrirParser::exprBody() {
  ExprBodyContext *_localctx = _tracker.createInstance<ExprBodyContext>(_ctx, getState());
  enterRule(_localctx, 94, VrirParser::RuleExprBody);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(675);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::PlusTok:
      case VrirParser::MinusTok:
      case VrirParser::MultTok:
      case VrirParser::DivTok:
      case VrirParser::LtTok:
      case VrirParser::LeqTok:
      case VrirParser::GtTok:
      case VrirParser::GeqTok:
      case VrirParser::EqTok:
      case VrirParser::NeqTok: {
        enterOuterAlt(_localctx, 1);
        setState(653);
        binary();
        break;
      }

      case VrirParser::AndTok:
      case VrirParser::OrTok: {
        enterOuterAlt(_localctx, 2);
        setState(654);
        logic();
        break;
      }

      case VrirParser::NotTok:
      case VrirParser::NegateTok:
      case VrirParser::CastTok: {
        enterOuterAlt(_localctx, 3);
        setState(655);
        unary();
        break;
      }

      case VrirParser::NameTok: {
        enterOuterAlt(_localctx, 4);
        setState(656);
        name();
        break;
      }

      case VrirParser::RealConstTok: {
        enterOuterAlt(_localctx, 5);
        setState(657);
        realconst();
        break;
      }

      case VrirParser::ComplexConstTok: {
        enterOuterAlt(_localctx, 6);
        setState(658);
        complexconst();
        break;
      }

      case VrirParser::IndexTok: {
        enterOuterAlt(_localctx, 7);
        setState(659);
        indexexpr();
        break;
      }

      case VrirParser::FncallTok: {
        enterOuterAlt(_localctx, 8);
        setState(660);
        fncall();
        break;
      }

      case VrirParser::FnhandleTok: {
        enterOuterAlt(_localctx, 9);
        setState(661);
        fnhandle();
        break;
      }

      case VrirParser::LibcallTok: {
        enterOuterAlt(_localctx, 10);
        setState(662);
        libcall();
        break;
      }

      case VrirParser::AllocTok: {
        enterOuterAlt(_localctx, 11);
        setState(663);
        alloc();
        break;
      }

      case VrirParser::DimTok: {
        enterOuterAlt(_localctx, 12);
        setState(664);
        dim();
        break;
      }

      case VrirParser::DimvecTok: {
        enterOuterAlt(_localctx, 13);
        setState(665);
        dimvec();
        break;
      }

      case VrirParser::TupleTok: {
        enterOuterAlt(_localctx, 14);
        setState(666);
        tuple();
        break;
      }

      case VrirParser::TupleIndexTok: {
        enterOuterAlt(_localctx, 15);
        setState(667);
        tupleindex();
        break;
      }

      case VrirParser::ComplexTok: {
        enterOuterAlt(_localctx, 16);
        setState(668);
        complexexpr();
        break;
      }

      case VrirParser::RealTok: {
        enterOuterAlt(_localctx, 17);
        setState(669);
        realexpr();
        break;
      }

      case VrirParser::ImagTok: {
        enterOuterAlt(_localctx, 18);
        setState(670);
        imagexpr();
        break;
      }

      case VrirParser::RangeTok: {
        enterOuterAlt(_localctx, 19);
        setState(671);
        range();
        break;
      }

      case VrirParser::DomainTok: {
        enterOuterAlt(_localctx, 20);
        setState(672);
        domain();
        break;
      }

      case VrirParser::XchangeTok: {
        enterOuterAlt(_localctx, 21);
        setState(673);
        xchange();
        break;
      }

      case VrirParser::Lp:
      case VrirParser::VoidTok: {
        enterOuterAlt(_localctx, 22);
        setState(674);
        unaryplus();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BinaryContext ------------------------------------------------------------------

VrirParser::BinaryContext::BinaryContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::VtypeContext* VrirParser::BinaryContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::LhsOperandContext* VrirParser::BinaryContext::lhsOperand() {
  return getRuleContext<VrirParser::LhsOperandContext>(0);
}

VrirParser::RhsOperandContext* VrirParser::BinaryContext::rhsOperand() {
  return getRuleContext<VrirParser::RhsOperandContext>(0);
}

tree::TerminalNode* VrirParser::BinaryContext::PlusTok() {
  return getToken(VrirParser::PlusTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::MinusTok() {
  return getToken(VrirParser::MinusTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::MultTok() {
  return getToken(VrirParser::MultTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::DivTok() {
  return getToken(VrirParser::DivTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::LtTok() {
  return getToken(VrirParser::LtTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::LeqTok() {
  return getToken(VrirParser::LeqTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::GtTok() {
  return getToken(VrirParser::GtTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::GeqTok() {
  return getToken(VrirParser::GeqTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::EqTok() {
  return getToken(VrirParser::EqTok, 0);
}

tree::TerminalNode* VrirParser::BinaryContext::NeqTok() {
  return getToken(VrirParser::NeqTok, 0);
}


size_t VrirParser::BinaryContext::getRuleIndex() const {
  return VrirParser::RuleBinary;
}


VrirParser::BinaryContext* VrirParser::binary() {
  BinaryContext *_localctx = _tracker.createInstance<BinaryContext>(_ctx, getState());
  enterRule(_localctx, 96, VrirParser::RuleBinary);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(677);
    _la = _input->LA(1);
    if (!(((((_la - 56) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 56)) & ((1ULL << (VrirParser::PlusTok - 56))
      | (1ULL << (VrirParser::MinusTok - 56))
      | (1ULL << (VrirParser::MultTok - 56))
      | (1ULL << (VrirParser::DivTok - 56))
      | (1ULL << (VrirParser::LtTok - 56))
      | (1ULL << (VrirParser::LeqTok - 56))
      | (1ULL << (VrirParser::GtTok - 56))
      | (1ULL << (VrirParser::GeqTok - 56))
      | (1ULL << (VrirParser::EqTok - 56))
      | (1ULL << (VrirParser::NeqTok - 56)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(678);
    vtype();
    setState(679);
    lhsOperand();
    setState(680);
    rhsOperand();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LhsOperandContext ------------------------------------------------------------------

VrirParser::LhsOperandContext::LhsOperandContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::LhsOperandContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::LhsOperandContext::LhsTok() {
  return getToken(VrirParser::LhsTok, 0);
}

VrirParser::ExprContext* VrirParser::LhsOperandContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::LhsOperandContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::LhsOperandContext::getRuleIndex() const {
  return VrirParser::RuleLhsOperand;
}


VrirParser::LhsOperandContext* VrirParser::lhsOperand() {
  LhsOperandContext *_localctx = _tracker.createInstance<LhsOperandContext>(_ctx, getState());
  enterRule(_localctx, 98, VrirParser::RuleLhsOperand);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(682);
    match(VrirParser::Lp);
    setState(683);
    match(VrirParser::LhsTok);
    setState(684);
    expr();
    setState(685);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RhsOperandContext ------------------------------------------------------------------

VrirParser::RhsOperandContext::RhsOperandContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RhsOperandContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::RhsOperandContext::RhsTok() {
  return getToken(VrirParser::RhsTok, 0);
}

VrirParser::ExprContext* VrirParser::RhsOperandContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::RhsOperandContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::RhsOperandContext::getRuleIndex() const {
  return VrirParser::RuleRhsOperand;
}


VrirParser::RhsOperandContext* VrirParser::rhsOperand() {
  RhsOperandContext *_localctx = _tracker.createInstance<RhsOperandContext>(_ctx, getState());
  enterRule(_localctx, 100, VrirParser::RuleRhsOperand);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(687);
    match(VrirParser::Lp);
    setState(688);
    match(VrirParser::RhsTok);
    setState(689);
    expr();
    setState(690);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LogicContext ------------------------------------------------------------------

VrirParser::LogicContext::LogicContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::VtypeContext* VrirParser::LogicContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::OperandContext *> VrirParser::LogicContext::operand() {
  return getRuleContexts<VrirParser::OperandContext>();
}

VrirParser::OperandContext* VrirParser::LogicContext::operand(size_t i) {
  return getRuleContext<VrirParser::OperandContext>(i);
}

tree::TerminalNode* VrirParser::LogicContext::AndTok() {
  return getToken(VrirParser::AndTok, 0);
}

tree::TerminalNode* VrirParser::LogicContext::OrTok() {
  return getToken(VrirParser::OrTok, 0);
}


size_t VrirParser::LogicContext::getRuleIndex() const {
  return VrirParser::RuleLogic;
}


VrirParser::LogicContext* VrirParser::logic() {
  LogicContext *_localctx = _tracker.createInstance<LogicContext>(_ctx, getState());
  enterRule(_localctx, 102, VrirParser::RuleLogic);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(692);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AndTok

    || _la == VrirParser::OrTok)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(693);
    vtype();
    setState(694);
    operand();
    setState(695);
    operand();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- OperandContext ------------------------------------------------------------------

VrirParser::OperandContext::OperandContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::OperandContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::OperandContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

tree::TerminalNode* VrirParser::OperandContext::LhsTok() {
  return getToken(VrirParser::LhsTok, 0);
}

VrirParser::ExprContext* VrirParser::OperandContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::OperandContext::RhsTok() {
  return getToken(VrirParser::RhsTok, 0);
}

VrirParser::ExprBodyContext* VrirParser::OperandContext::exprBody() {
  return getRuleContext<VrirParser::ExprBodyContext>(0);
}


size_t VrirParser::OperandContext::getRuleIndex() const {
  return VrirParser::RuleOperand;
}


VrirParser::OperandContext* VrirParser::operand() {
  OperandContext *_localctx = _tracker.createInstance<OperandContext>(_ctx, getState());
  enterRule(_localctx, 104, VrirParser::RuleOperand);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(697);
    match(VrirParser::Lp);
    setState(703);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::LhsTok: {
        setState(698);
        match(VrirParser::LhsTok);
        setState(699);
        expr();
        break;
      }

      case VrirParser::RhsTok: {
        setState(700);
        match(VrirParser::RhsTok);
        setState(701);
        expr();
        break;
      }

      case VrirParser::Lp:
      case VrirParser::VoidTok:
      case VrirParser::PlusTok:
      case VrirParser::MinusTok:
      case VrirParser::MultTok:
      case VrirParser::DivTok:
      case VrirParser::LtTok:
      case VrirParser::LeqTok:
      case VrirParser::GtTok:
      case VrirParser::GeqTok:
      case VrirParser::EqTok:
      case VrirParser::NeqTok:
      case VrirParser::AndTok:
      case VrirParser::OrTok:
      case VrirParser::NotTok:
      case VrirParser::NegateTok:
      case VrirParser::CastTok:
      case VrirParser::NameTok:
      case VrirParser::RealConstTok:
      case VrirParser::ComplexConstTok:
      case VrirParser::IndexTok:
      case VrirParser::FncallTok:
      case VrirParser::FnhandleTok:
      case VrirParser::LibcallTok:
      case VrirParser::AllocTok:
      case VrirParser::DimTok:
      case VrirParser::DimvecTok:
      case VrirParser::TupleTok:
      case VrirParser::TupleIndexTok:
      case VrirParser::ComplexTok:
      case VrirParser::RealTok:
      case VrirParser::ImagTok:
      case VrirParser::RangeTok:
      case VrirParser::DomainTok:
      case VrirParser::XchangeTok: {
        setState(702);
        exprBody();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(705);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- UnaryContext ------------------------------------------------------------------

VrirParser::UnaryContext::UnaryContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::VtypeContext* VrirParser::UnaryContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ExprContext* VrirParser::UnaryContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::UnaryContext::NotTok() {
  return getToken(VrirParser::NotTok, 0);
}

tree::TerminalNode* VrirParser::UnaryContext::NegateTok() {
  return getToken(VrirParser::NegateTok, 0);
}

tree::TerminalNode* VrirParser::UnaryContext::CastTok() {
  return getToken(VrirParser::CastTok, 0);
}


size_t VrirParser::UnaryContext::getRuleIndex() const {
  return VrirParser::RuleUnary;
}


VrirParser::UnaryContext* VrirParser::unary() {
  UnaryContext *_localctx = _tracker.createInstance<UnaryContext>(_ctx, getState());
  enterRule(_localctx, 106, VrirParser::RuleUnary);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(707);
    _la = _input->LA(1);
    if (!(((((_la - 68) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 68)) & ((1ULL << (VrirParser::NotTok - 68))
      | (1ULL << (VrirParser::NegateTok - 68))
      | (1ULL << (VrirParser::CastTok - 68)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(708);
    vtype();
    setState(709);
    expr();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- UnaryplusContext ------------------------------------------------------------------

VrirParser::UnaryplusContext::UnaryplusContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::VtypeContext* VrirParser::UnaryplusContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ExprContext* VrirParser::UnaryplusContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}


size_t VrirParser::UnaryplusContext::getRuleIndex() const {
  return VrirParser::RuleUnaryplus;
}


VrirParser::UnaryplusContext* VrirParser::unaryplus() {
  UnaryplusContext *_localctx = _tracker.createInstance<UnaryplusContext>(_ctx, getState());
  enterRule(_localctx, 108, VrirParser::RuleUnaryplus);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(711);
    vtype();
    setState(712);
    expr();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NameContext ------------------------------------------------------------------

VrirParser::NameContext::NameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::NameContext::NameTok() {
  return getToken(VrirParser::NameTok, 0);
}

tree::TerminalNode* VrirParser::NameContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::NameContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

VrirParser::VtypeContext* VrirParser::NameContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}


size_t VrirParser::NameContext::getRuleIndex() const {
  return VrirParser::RuleName;
}


VrirParser::NameContext* VrirParser::name() {
  NameContext *_localctx = _tracker.createInstance<NameContext>(_ctx, getState());
  enterRule(_localctx, 110, VrirParser::RuleName);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(714);
    match(VrirParser::NameTok);
    setState(715);
    match(VrirParser::AttrId);
    setState(716);
    match(VrirParser::Intval);
    setState(717);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RealconstContext ------------------------------------------------------------------

VrirParser::RealconstContext::RealconstContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RealconstContext::RealConstTok() {
  return getToken(VrirParser::RealConstTok, 0);
}

VrirParser::VtypeContext* VrirParser::RealconstContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

tree::TerminalNode* VrirParser::RealconstContext::AttrIval() {
  return getToken(VrirParser::AttrIval, 0);
}

tree::TerminalNode* VrirParser::RealconstContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

VrirParser::NumberContext* VrirParser::RealconstContext::number() {
  return getRuleContext<VrirParser::NumberContext>(0);
}

tree::TerminalNode* VrirParser::RealconstContext::AttrDval() {
  return getToken(VrirParser::AttrDval, 0);
}

tree::TerminalNode* VrirParser::RealconstContext::AttrFval() {
  return getToken(VrirParser::AttrFval, 0);
}


size_t VrirParser::RealconstContext::getRuleIndex() const {
  return VrirParser::RuleRealconst;
}


VrirParser::RealconstContext* VrirParser::realconst() {
  RealconstContext *_localctx = _tracker.createInstance<RealconstContext>(_ctx, getState());
  enterRule(_localctx, 112, VrirParser::RuleRealconst);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(719);
    match(VrirParser::RealConstTok);
    setState(724);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrIval: {
        setState(720);
        match(VrirParser::AttrIval);
        setState(721);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrDval:
      case VrirParser::AttrFval: {
        setState(722);
        _la = _input->LA(1);
        if (!(_la == VrirParser::AttrDval

        || _la == VrirParser::AttrFval)) {
        _errHandler->recoverInline(this);
        }
        else {
          _errHandler->reportMatch(this);
          consume();
        }
        setState(723);
        number();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(726);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ComplexconstContext ------------------------------------------------------------------

VrirParser::ComplexconstContext::ComplexconstContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ComplexconstContext::ComplexConstTok() {
  return getToken(VrirParser::ComplexConstTok, 0);
}

VrirParser::VtypeContext* VrirParser::ComplexconstContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::ComplexAttrContext *> VrirParser::ComplexconstContext::complexAttr() {
  return getRuleContexts<VrirParser::ComplexAttrContext>();
}

VrirParser::ComplexAttrContext* VrirParser::ComplexconstContext::complexAttr(size_t i) {
  return getRuleContext<VrirParser::ComplexAttrContext>(i);
}


size_t VrirParser::ComplexconstContext::getRuleIndex() const {
  return VrirParser::RuleComplexconst;
}


VrirParser::ComplexconstContext* VrirParser::complexconst() {
  ComplexconstContext *_localctx = _tracker.createInstance<ComplexconstContext>(_ctx, getState());
  enterRule(_localctx, 114, VrirParser::RuleComplexconst);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(728);
    match(VrirParser::ComplexConstTok);
    setState(732);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrRe

    || _la == VrirParser::AttrIm) {
      setState(729);
      complexAttr();
      setState(734);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(735);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ComplexAttrContext ------------------------------------------------------------------

VrirParser::ComplexAttrContext::ComplexAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::NumberContext* VrirParser::ComplexAttrContext::number() {
  return getRuleContext<VrirParser::NumberContext>(0);
}

tree::TerminalNode* VrirParser::ComplexAttrContext::AttrRe() {
  return getToken(VrirParser::AttrRe, 0);
}

tree::TerminalNode* VrirParser::ComplexAttrContext::AttrIm() {
  return getToken(VrirParser::AttrIm, 0);
}


size_t VrirParser::ComplexAttrContext::getRuleIndex() const {
  return VrirParser::RuleComplexAttr;
}


VrirParser::ComplexAttrContext* VrirParser::complexAttr() {
  ComplexAttrContext *_localctx = _tracker.createInstance<ComplexAttrContext>(_ctx, getState());
  enterRule(_localctx, 116, VrirParser::RuleComplexAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(737);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrRe

    || _la == VrirParser::AttrIm)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(738);
    number();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IndexexprContext ------------------------------------------------------------------

VrirParser::IndexexprContext::IndexexprContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::IndexexprContext::IndexTok() {
  return getToken(VrirParser::IndexTok, 0);
}

VrirParser::VtypeContext* VrirParser::IndexexprContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::IndicesContext* VrirParser::IndexexprContext::indices() {
  return getRuleContext<VrirParser::IndicesContext>(0);
}

std::vector<VrirParser::IndexAttrContext *> VrirParser::IndexexprContext::indexAttr() {
  return getRuleContexts<VrirParser::IndexAttrContext>();
}

VrirParser::IndexAttrContext* VrirParser::IndexexprContext::indexAttr(size_t i) {
  return getRuleContext<VrirParser::IndexAttrContext>(i);
}


size_t VrirParser::IndexexprContext::getRuleIndex() const {
  return VrirParser::RuleIndexexpr;
}


VrirParser::IndexexprContext* VrirParser::indexexpr() {
  IndexexprContext *_localctx = _tracker.createInstance<IndexexprContext>(_ctx, getState());
  enterRule(_localctx, 118, VrirParser::RuleIndexexpr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(740);
    match(VrirParser::IndexTok);
    setState(744);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 101) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 101)) & ((1ULL << (VrirParser::AttrFlatten - 101))
      | (1ULL << (VrirParser::AttrGrow - 101))
      | (1ULL << (VrirParser::AttrArrayid - 101))
      | (1ULL << (VrirParser::AttrCopyslice - 101)))) != 0)) {
      setState(741);
      indexAttr();
      setState(746);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(747);
    vtype();
    setState(748);
    indices();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IndexAttrContext ------------------------------------------------------------------

VrirParser::IndexAttrContext::IndexAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::IndexAttrContext::AttrArrayid() {
  return getToken(VrirParser::AttrArrayid, 0);
}

tree::TerminalNode* VrirParser::IndexAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::IndexAttrContext::AttrCopyslice() {
  return getToken(VrirParser::AttrCopyslice, 0);
}

VrirParser::BoolvalContext* VrirParser::IndexAttrContext::boolval() {
  return getRuleContext<VrirParser::BoolvalContext>(0);
}

tree::TerminalNode* VrirParser::IndexAttrContext::AttrFlatten() {
  return getToken(VrirParser::AttrFlatten, 0);
}

tree::TerminalNode* VrirParser::IndexAttrContext::AttrGrow() {
  return getToken(VrirParser::AttrGrow, 0);
}


size_t VrirParser::IndexAttrContext::getRuleIndex() const {
  return VrirParser::RuleIndexAttr;
}


VrirParser::IndexAttrContext* VrirParser::indexAttr() {
  IndexAttrContext *_localctx = _tracker.createInstance<IndexAttrContext>(_ctx, getState());
  enterRule(_localctx, 120, VrirParser::RuleIndexAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(758);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrArrayid: {
        enterOuterAlt(_localctx, 1);
        setState(750);
        match(VrirParser::AttrArrayid);
        setState(751);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrCopyslice: {
        enterOuterAlt(_localctx, 2);
        setState(752);
        match(VrirParser::AttrCopyslice);
        setState(753);
        boolval();
        break;
      }

      case VrirParser::AttrFlatten: {
        enterOuterAlt(_localctx, 3);
        setState(754);
        match(VrirParser::AttrFlatten);
        setState(755);
        boolval();
        break;
      }

      case VrirParser::AttrGrow: {
        enterOuterAlt(_localctx, 4);
        setState(756);
        match(VrirParser::AttrGrow);
        setState(757);
        boolval();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IndicesContext ------------------------------------------------------------------

VrirParser::IndicesContext::IndicesContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::IndicesContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::IndicesContext::IndicesTok() {
  return getToken(VrirParser::IndicesTok, 0);
}

tree::TerminalNode* VrirParser::IndicesContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::AindexContext *> VrirParser::IndicesContext::aindex() {
  return getRuleContexts<VrirParser::AindexContext>();
}

VrirParser::AindexContext* VrirParser::IndicesContext::aindex(size_t i) {
  return getRuleContext<VrirParser::AindexContext>(i);
}


size_t VrirParser::IndicesContext::getRuleIndex() const {
  return VrirParser::RuleIndices;
}


VrirParser::IndicesContext* VrirParser::indices() {
  IndicesContext *_localctx = _tracker.createInstance<IndicesContext>(_ctx, getState());
  enterRule(_localctx, 122, VrirParser::RuleIndices);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(760);
    match(VrirParser::Lp);
    setState(761);
    match(VrirParser::IndicesTok);
    setState(763); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(762);
      aindex();
      setState(765); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp);
    setState(767);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AindexContext ------------------------------------------------------------------

VrirParser::AindexContext::AindexContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::AindexContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::AindexContext::IndexTok() {
  return getToken(VrirParser::IndexTok, 0);
}

VrirParser::ExprContext* VrirParser::AindexContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::AindexContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::AindexAttrContext *> VrirParser::AindexContext::aindexAttr() {
  return getRuleContexts<VrirParser::AindexAttrContext>();
}

VrirParser::AindexAttrContext* VrirParser::AindexContext::aindexAttr(size_t i) {
  return getRuleContext<VrirParser::AindexAttrContext>(i);
}


size_t VrirParser::AindexContext::getRuleIndex() const {
  return VrirParser::RuleAindex;
}


VrirParser::AindexContext* VrirParser::aindex() {
  AindexContext *_localctx = _tracker.createInstance<AindexContext>(_ctx, getState());
  enterRule(_localctx, 124, VrirParser::RuleAindex);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(769);
    match(VrirParser::Lp);
    setState(770);
    match(VrirParser::IndexTok);
    setState(774);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 102) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 102)) & ((1ULL << (VrirParser::AttrGrow - 102))
      | (1ULL << (VrirParser::AttrBoundscheck - 102))
      | (1ULL << (VrirParser::AttrNegative - 102))
      | (1ULL << (VrirParser::AttrMinBounds - 102))
      | (1ULL << (VrirParser::AttrMaxBounds - 102)))) != 0)) {
      setState(771);
      aindexAttr();
      setState(776);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(777);
    expr();
    setState(778);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AindexAttrContext ------------------------------------------------------------------

VrirParser::AindexAttrContext::AindexAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::BoolvalContext* VrirParser::AindexAttrContext::boolval() {
  return getRuleContext<VrirParser::BoolvalContext>(0);
}

tree::TerminalNode* VrirParser::AindexAttrContext::AttrBoundscheck() {
  return getToken(VrirParser::AttrBoundscheck, 0);
}

tree::TerminalNode* VrirParser::AindexAttrContext::AttrNegative() {
  return getToken(VrirParser::AttrNegative, 0);
}

tree::TerminalNode* VrirParser::AindexAttrContext::AttrMinBounds() {
  return getToken(VrirParser::AttrMinBounds, 0);
}

tree::TerminalNode* VrirParser::AindexAttrContext::AttrMaxBounds() {
  return getToken(VrirParser::AttrMaxBounds, 0);
}

tree::TerminalNode* VrirParser::AindexAttrContext::AttrGrow() {
  return getToken(VrirParser::AttrGrow, 0);
}


size_t VrirParser::AindexAttrContext::getRuleIndex() const {
  return VrirParser::RuleAindexAttr;
}


VrirParser::AindexAttrContext* VrirParser::aindexAttr() {
  AindexAttrContext *_localctx = _tracker.createInstance<AindexAttrContext>(_ctx, getState());
  enterRule(_localctx, 126, VrirParser::RuleAindexAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(780);
    _la = _input->LA(1);
    if (!(((((_la - 102) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 102)) & ((1ULL << (VrirParser::AttrGrow - 102))
      | (1ULL << (VrirParser::AttrBoundscheck - 102))
      | (1ULL << (VrirParser::AttrNegative - 102))
      | (1ULL << (VrirParser::AttrMinBounds - 102))
      | (1ULL << (VrirParser::AttrMaxBounds - 102)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(781);
    boolval();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FncallContext ------------------------------------------------------------------

VrirParser::FncallContext::FncallContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::FncallContext::FncallTok() {
  return getToken(VrirParser::FncallTok, 0);
}

tree::TerminalNode* VrirParser::FncallContext::AttrFnname() {
  return getToken(VrirParser::AttrFnname, 0);
}

VrirParser::TextContext* VrirParser::FncallContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::VtypeContext* VrirParser::FncallContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ArgsContext* VrirParser::FncallContext::args() {
  return getRuleContext<VrirParser::ArgsContext>(0);
}


size_t VrirParser::FncallContext::getRuleIndex() const {
  return VrirParser::RuleFncall;
}


VrirParser::FncallContext* VrirParser::fncall() {
  FncallContext *_localctx = _tracker.createInstance<FncallContext>(_ctx, getState());
  enterRule(_localctx, 128, VrirParser::RuleFncall);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(783);
    match(VrirParser::FncallTok);
    setState(784);
    match(VrirParser::AttrFnname);
    setState(785);
    text();
    setState(786);
    vtype();
    setState(787);
    args();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FnhandleContext ------------------------------------------------------------------

VrirParser::FnhandleContext::FnhandleContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::FnhandleContext::FnhandleTok() {
  return getToken(VrirParser::FnhandleTok, 0);
}

tree::TerminalNode* VrirParser::FnhandleContext::AttrFnname() {
  return getToken(VrirParser::AttrFnname, 0);
}

VrirParser::TextContext* VrirParser::FnhandleContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::VtypeContext* VrirParser::FnhandleContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}


size_t VrirParser::FnhandleContext::getRuleIndex() const {
  return VrirParser::RuleFnhandle;
}


VrirParser::FnhandleContext* VrirParser::fnhandle() {
  FnhandleContext *_localctx = _tracker.createInstance<FnhandleContext>(_ctx, getState());
  enterRule(_localctx, 130, VrirParser::RuleFnhandle);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(789);
    match(VrirParser::FnhandleTok);
    setState(790);
    match(VrirParser::AttrFnname);
    setState(791);
    text();
    setState(792);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LibcallContext ------------------------------------------------------------------

VrirParser::LibcallContext::LibcallContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::LibcallContext::LibcallTok() {
  return getToken(VrirParser::LibcallTok, 0);
}

tree::TerminalNode* VrirParser::LibcallContext::AttrLibfunc() {
  return getToken(VrirParser::AttrLibfunc, 0);
}

VrirParser::TextContext* VrirParser::LibcallContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::VtypeContext* VrirParser::LibcallContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ArgsContext* VrirParser::LibcallContext::args() {
  return getRuleContext<VrirParser::ArgsContext>(0);
}


size_t VrirParser::LibcallContext::getRuleIndex() const {
  return VrirParser::RuleLibcall;
}


VrirParser::LibcallContext* VrirParser::libcall() {
  LibcallContext *_localctx = _tracker.createInstance<LibcallContext>(_ctx, getState());
  enterRule(_localctx, 132, VrirParser::RuleLibcall);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(794);
    match(VrirParser::LibcallTok);
    setState(795);
    match(VrirParser::AttrLibfunc);
    setState(796);
    text();
    setState(797);
    vtype();
    setState(798);
    args();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AllocContext ------------------------------------------------------------------

VrirParser::AllocContext::AllocContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::AllocContext::AllocTok() {
  return getToken(VrirParser::AllocTok, 0);
}

tree::TerminalNode* VrirParser::AllocContext::AttrFunc() {
  return getToken(VrirParser::AttrFunc, 0);
}

VrirParser::TextContext* VrirParser::AllocContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

VrirParser::VtypeContext* VrirParser::AllocContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ArgsContext* VrirParser::AllocContext::args() {
  return getRuleContext<VrirParser::ArgsContext>(0);
}


size_t VrirParser::AllocContext::getRuleIndex() const {
  return VrirParser::RuleAlloc;
}


VrirParser::AllocContext* VrirParser::alloc() {
  AllocContext *_localctx = _tracker.createInstance<AllocContext>(_ctx, getState());
  enterRule(_localctx, 134, VrirParser::RuleAlloc);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(800);
    match(VrirParser::AllocTok);
    setState(801);
    match(VrirParser::AttrFunc);
    setState(802);
    text();
    setState(803);
    vtype();
    setState(804);
    args();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArgsContext ------------------------------------------------------------------

VrirParser::ArgsContext::ArgsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ArgsContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ArgsContext::ArgsTok() {
  return getToken(VrirParser::ArgsTok, 0);
}

tree::TerminalNode* VrirParser::ArgsContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

std::vector<VrirParser::ExprContext *> VrirParser::ArgsContext::expr() {
  return getRuleContexts<VrirParser::ExprContext>();
}

VrirParser::ExprContext* VrirParser::ArgsContext::expr(size_t i) {
  return getRuleContext<VrirParser::ExprContext>(i);
}


size_t VrirParser::ArgsContext::getRuleIndex() const {
  return VrirParser::RuleArgs;
}


VrirParser::ArgsContext* VrirParser::args() {
  ArgsContext *_localctx = _tracker.createInstance<ArgsContext>(_ctx, getState());
  enterRule(_localctx, 136, VrirParser::RuleArgs);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(806);
    match(VrirParser::Lp);
    setState(807);
    match(VrirParser::ArgsTok);
    setState(811);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(808);
      expr();
      setState(813);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(814);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DimContext ------------------------------------------------------------------

VrirParser::DimContext::DimContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::DimContext::DimTok() {
  return getToken(VrirParser::DimTok, 0);
}

VrirParser::VtypeContext* VrirParser::DimContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::DimAttrContext *> VrirParser::DimContext::dimAttr() {
  return getRuleContexts<VrirParser::DimAttrContext>();
}

VrirParser::DimAttrContext* VrirParser::DimContext::dimAttr(size_t i) {
  return getRuleContext<VrirParser::DimAttrContext>(i);
}


size_t VrirParser::DimContext::getRuleIndex() const {
  return VrirParser::RuleDim;
}


VrirParser::DimContext* VrirParser::dim() {
  DimContext *_localctx = _tracker.createInstance<DimContext>(_ctx, getState());
  enterRule(_localctx, 138, VrirParser::RuleDim);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(816);
    match(VrirParser::DimTok);
    setState(820);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrArrayid

    || _la == VrirParser::AttrDimid) {
      setState(817);
      dimAttr();
      setState(822);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(823);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DimAttrContext ------------------------------------------------------------------

VrirParser::DimAttrContext::DimAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::DimAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::DimAttrContext::AttrArrayid() {
  return getToken(VrirParser::AttrArrayid, 0);
}

tree::TerminalNode* VrirParser::DimAttrContext::AttrDimid() {
  return getToken(VrirParser::AttrDimid, 0);
}


size_t VrirParser::DimAttrContext::getRuleIndex() const {
  return VrirParser::RuleDimAttr;
}


VrirParser::DimAttrContext* VrirParser::dimAttr() {
  DimAttrContext *_localctx = _tracker.createInstance<DimAttrContext>(_ctx, getState());
  enterRule(_localctx, 140, VrirParser::RuleDimAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(825);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrArrayid

    || _la == VrirParser::AttrDimid)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(826);
    match(VrirParser::Intval);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DimvecContext ------------------------------------------------------------------

VrirParser::DimvecContext::DimvecContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::DimvecContext::DimvecTok() {
  return getToken(VrirParser::DimvecTok, 0);
}

tree::TerminalNode* VrirParser::DimvecContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

VrirParser::VtypeContext* VrirParser::DimvecContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

tree::TerminalNode* VrirParser::DimvecContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::DimvecContext::AttrArrayid() {
  return getToken(VrirParser::AttrArrayid, 0);
}


size_t VrirParser::DimvecContext::getRuleIndex() const {
  return VrirParser::RuleDimvec;
}


VrirParser::DimvecContext* VrirParser::dimvec() {
  DimvecContext *_localctx = _tracker.createInstance<DimvecContext>(_ctx, getState());
  enterRule(_localctx, 142, VrirParser::RuleDimvec);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(828);
    match(VrirParser::DimvecTok);
    setState(829);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrId

    || _la == VrirParser::AttrArrayid)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(830);
    match(VrirParser::Intval);
    setState(831);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TupleContext ------------------------------------------------------------------

VrirParser::TupleContext::TupleContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::TupleContext::TupleTok() {
  return getToken(VrirParser::TupleTok, 0);
}

VrirParser::VtypeContext* VrirParser::TupleContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::ElemsContext* VrirParser::TupleContext::elems() {
  return getRuleContext<VrirParser::ElemsContext>(0);
}


size_t VrirParser::TupleContext::getRuleIndex() const {
  return VrirParser::RuleTuple;
}


VrirParser::TupleContext* VrirParser::tuple() {
  TupleContext *_localctx = _tracker.createInstance<TupleContext>(_ctx, getState());
  enterRule(_localctx, 144, VrirParser::RuleTuple);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(833);
    match(VrirParser::TupleTok);
    setState(834);
    vtype();
    setState(835);
    elems();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ElemsContext ------------------------------------------------------------------

VrirParser::ElemsContext::ElemsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ElemsContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::ElemsContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

tree::TerminalNode* VrirParser::ElemsContext::ElemsTok() {
  return getToken(VrirParser::ElemsTok, 0);
}

tree::TerminalNode* VrirParser::ElemsContext::ElmsTok() {
  return getToken(VrirParser::ElmsTok, 0);
}

std::vector<VrirParser::ExprContext *> VrirParser::ElemsContext::expr() {
  return getRuleContexts<VrirParser::ExprContext>();
}

VrirParser::ExprContext* VrirParser::ElemsContext::expr(size_t i) {
  return getRuleContext<VrirParser::ExprContext>(i);
}


size_t VrirParser::ElemsContext::getRuleIndex() const {
  return VrirParser::RuleElems;
}


VrirParser::ElemsContext* VrirParser::elems() {
  ElemsContext *_localctx = _tracker.createInstance<ElemsContext>(_ctx, getState());
  enterRule(_localctx, 146, VrirParser::RuleElems);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(837);
    match(VrirParser::Lp);
    setState(838);
    _la = _input->LA(1);
    if (!(_la == VrirParser::ElemsTok

    || _la == VrirParser::ElmsTok)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(842);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(839);
      expr();
      setState(844);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(845);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TupleindexContext ------------------------------------------------------------------

VrirParser::TupleindexContext::TupleindexContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::TupleindexContext::TupleIndexTok() {
  return getToken(VrirParser::TupleIndexTok, 0);
}

VrirParser::VtypeContext* VrirParser::TupleindexContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::TupleindexAttrContext *> VrirParser::TupleindexContext::tupleindexAttr() {
  return getRuleContexts<VrirParser::TupleindexAttrContext>();
}

VrirParser::TupleindexAttrContext* VrirParser::TupleindexContext::tupleindexAttr(size_t i) {
  return getRuleContext<VrirParser::TupleindexAttrContext>(i);
}


size_t VrirParser::TupleindexContext::getRuleIndex() const {
  return VrirParser::RuleTupleindex;
}


VrirParser::TupleindexContext* VrirParser::tupleindex() {
  TupleindexContext *_localctx = _tracker.createInstance<TupleindexContext>(_ctx, getState());
  enterRule(_localctx, 148, VrirParser::RuleTupleindex);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(847);
    match(VrirParser::TupleIndexTok);
    setState(851);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrIndex

    || _la == VrirParser::AttrTupleid) {
      setState(848);
      tupleindexAttr();
      setState(853);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(854);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TupleindexAttrContext ------------------------------------------------------------------

VrirParser::TupleindexAttrContext::TupleindexAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::TupleindexAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::TupleindexAttrContext::AttrIndex() {
  return getToken(VrirParser::AttrIndex, 0);
}

tree::TerminalNode* VrirParser::TupleindexAttrContext::AttrTupleid() {
  return getToken(VrirParser::AttrTupleid, 0);
}


size_t VrirParser::TupleindexAttrContext::getRuleIndex() const {
  return VrirParser::RuleTupleindexAttr;
}


VrirParser::TupleindexAttrContext* VrirParser::tupleindexAttr() {
  TupleindexAttrContext *_localctx = _tracker.createInstance<TupleindexAttrContext>(_ctx, getState());
  enterRule(_localctx, 150, VrirParser::RuleTupleindexAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(856);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrIndex

    || _la == VrirParser::AttrTupleid)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(857);
    match(VrirParser::Intval);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ComplexexprContext ------------------------------------------------------------------

VrirParser::ComplexexprContext::ComplexexprContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ComplexexprContext::ComplexTok() {
  return getToken(VrirParser::ComplexTok, 0);
}

VrirParser::VtypeContext* VrirParser::ComplexexprContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::ExprContext *> VrirParser::ComplexexprContext::expr() {
  return getRuleContexts<VrirParser::ExprContext>();
}

VrirParser::ExprContext* VrirParser::ComplexexprContext::expr(size_t i) {
  return getRuleContext<VrirParser::ExprContext>(i);
}


size_t VrirParser::ComplexexprContext::getRuleIndex() const {
  return VrirParser::RuleComplexexpr;
}


VrirParser::ComplexexprContext* VrirParser::complexexpr() {
  ComplexexprContext *_localctx = _tracker.createInstance<ComplexexprContext>(_ctx, getState());
  enterRule(_localctx, 152, VrirParser::RuleComplexexpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(859);
    match(VrirParser::ComplexTok);
    setState(860);
    vtype();
    setState(861);
    expr();
    setState(862);
    expr();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RealexprContext ------------------------------------------------------------------

VrirParser::RealexprContext::RealexprContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RealexprContext::RealTok() {
  return getToken(VrirParser::RealTok, 0);
}

tree::TerminalNode* VrirParser::RealexprContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::RealexprContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

VrirParser::VtypeContext* VrirParser::RealexprContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}


size_t VrirParser::RealexprContext::getRuleIndex() const {
  return VrirParser::RuleRealexpr;
}


VrirParser::RealexprContext* VrirParser::realexpr() {
  RealexprContext *_localctx = _tracker.createInstance<RealexprContext>(_ctx, getState());
  enterRule(_localctx, 154, VrirParser::RuleRealexpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(864);
    match(VrirParser::RealTok);
    setState(865);
    match(VrirParser::AttrId);
    setState(866);
    match(VrirParser::Intval);
    setState(867);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ImagexprContext ------------------------------------------------------------------

VrirParser::ImagexprContext::ImagexprContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::ImagexprContext::ImagTok() {
  return getToken(VrirParser::ImagTok, 0);
}

tree::TerminalNode* VrirParser::ImagexprContext::AttrId() {
  return getToken(VrirParser::AttrId, 0);
}

tree::TerminalNode* VrirParser::ImagexprContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

VrirParser::VtypeContext* VrirParser::ImagexprContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}


size_t VrirParser::ImagexprContext::getRuleIndex() const {
  return VrirParser::RuleImagexpr;
}


VrirParser::ImagexprContext* VrirParser::imagexpr() {
  ImagexprContext *_localctx = _tracker.createInstance<ImagexprContext>(_ctx, getState());
  enterRule(_localctx, 156, VrirParser::RuleImagexpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(869);
    match(VrirParser::ImagTok);
    setState(870);
    match(VrirParser::AttrId);
    setState(871);
    match(VrirParser::Intval);
    setState(872);
    vtype();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RangeContext ------------------------------------------------------------------

VrirParser::RangeContext::RangeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RangeContext::RangeTok() {
  return getToken(VrirParser::RangeTok, 0);
}

tree::TerminalNode* VrirParser::RangeContext::AttrExclude() {
  return getToken(VrirParser::AttrExclude, 0);
}

VrirParser::BoolvalContext* VrirParser::RangeContext::boolval() {
  return getRuleContext<VrirParser::BoolvalContext>(0);
}

std::vector<VrirParser::RangePartContext *> VrirParser::RangeContext::rangePart() {
  return getRuleContexts<VrirParser::RangePartContext>();
}

VrirParser::RangePartContext* VrirParser::RangeContext::rangePart(size_t i) {
  return getRuleContext<VrirParser::RangePartContext>(i);
}


size_t VrirParser::RangeContext::getRuleIndex() const {
  return VrirParser::RuleRange;
}


VrirParser::RangeContext* VrirParser::range() {
  RangeContext *_localctx = _tracker.createInstance<RangeContext>(_ctx, getState());
  enterRule(_localctx, 158, VrirParser::RuleRange);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(874);
    match(VrirParser::RangeTok);
    setState(877);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrExclude) {
      setState(875);
      match(VrirParser::AttrExclude);
      setState(876);
      boolval();
    }
    setState(882);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(879);
      rangePart();
      setState(884);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RangePartContext ------------------------------------------------------------------

VrirParser::RangePartContext::RangePartContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::RangePartContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

tree::TerminalNode* VrirParser::RangePartContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}

tree::TerminalNode* VrirParser::RangePartContext::StartTok() {
  return getToken(VrirParser::StartTok, 0);
}

VrirParser::ExprContext* VrirParser::RangePartContext::expr() {
  return getRuleContext<VrirParser::ExprContext>(0);
}

tree::TerminalNode* VrirParser::RangePartContext::StepTok() {
  return getToken(VrirParser::StepTok, 0);
}

tree::TerminalNode* VrirParser::RangePartContext::StopTok() {
  return getToken(VrirParser::StopTok, 0);
}

VrirParser::TypeBodyContext* VrirParser::RangePartContext::typeBody() {
  return getRuleContext<VrirParser::TypeBodyContext>(0);
}


size_t VrirParser::RangePartContext::getRuleIndex() const {
  return VrirParser::RuleRangePart;
}


VrirParser::RangePartContext* VrirParser::rangePart() {
  RangePartContext *_localctx = _tracker.createInstance<RangePartContext>(_ctx, getState());
  enterRule(_localctx, 160, VrirParser::RuleRangePart);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(885);
    match(VrirParser::Lp);
    setState(893);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::StartTok: {
        setState(886);
        match(VrirParser::StartTok);
        setState(887);
        expr();
        break;
      }

      case VrirParser::StepTok: {
        setState(888);
        match(VrirParser::StepTok);
        setState(889);
        expr();
        break;
      }

      case VrirParser::StopTok: {
        setState(890);
        match(VrirParser::StopTok);
        setState(891);
        expr();
        break;
      }

      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int8Tok:
      case VrirParser::Int16Tok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Uint8Tok:
      case VrirParser::Uint16Tok:
      case VrirParser::Uint32Tok:
      case VrirParser::Uint64Tok:
      case VrirParser::Float16Tok:
      case VrirParser::Bfloat16Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok:
      case VrirParser::ArrayTypeTok:
      case VrirParser::TupleTypeTok:
      case VrirParser::DomainTypeTok:
      case VrirParser::FnTypeTok: {
        setState(892);
        typeBody();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(895);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DomainContext ------------------------------------------------------------------

VrirParser::DomainContext::DomainContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::DomainContext::DomainTok() {
  return getToken(VrirParser::DomainTok, 0);
}

VrirParser::VtypeContext* VrirParser::DomainContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

std::vector<VrirParser::DomainRangeContext *> VrirParser::DomainContext::domainRange() {
  return getRuleContexts<VrirParser::DomainRangeContext>();
}

VrirParser::DomainRangeContext* VrirParser::DomainContext::domainRange(size_t i) {
  return getRuleContext<VrirParser::DomainRangeContext>(i);
}


size_t VrirParser::DomainContext::getRuleIndex() const {
  return VrirParser::RuleDomain;
}


VrirParser::DomainContext* VrirParser::domain() {
  DomainContext *_localctx = _tracker.createInstance<DomainContext>(_ctx, getState());
  enterRule(_localctx, 162, VrirParser::RuleDomain);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(897);
    match(VrirParser::DomainTok);
    setState(898);
    vtype();
    setState(900); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(899);
      domainRange();
      setState(902); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DomainRangeContext ------------------------------------------------------------------

VrirParser::DomainRangeContext::DomainRangeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::DomainRangeContext::Lp() {
  return getToken(VrirParser::Lp, 0);
}

VrirParser::RangeContext* VrirParser::DomainRangeContext::range() {
  return getRuleContext<VrirParser::RangeContext>(0);
}

tree::TerminalNode* VrirParser::DomainRangeContext::Rp() {
  return getToken(VrirParser::Rp, 0);
}


size_t VrirParser::DomainRangeContext::getRuleIndex() const {
  return VrirParser::RuleDomainRange;
}


VrirParser::DomainRangeContext* VrirParser::domainRange() {
  DomainRangeContext *_localctx = _tracker.createInstance<DomainRangeContext>(_ctx, getState());
  enterRule(_localctx, 164, VrirParser::RuleDomainRange);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(904);
    match(VrirParser::Lp);
    setState(905);
    range();
    setState(906);
    match(VrirParser::Rp);
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- XchangeContext ------------------------------------------------------------------

VrirParser::XchangeContext::XchangeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::XchangeContext::XchangeTok() {
  return getToken(VrirParser::XchangeTok, 0);
}

VrirParser::VtypeContext* VrirParser::XchangeContext::vtype() {
  return getRuleContext<VrirParser::VtypeContext>(0);
}

VrirParser::IndicesContext* VrirParser::XchangeContext::indices() {
  return getRuleContext<VrirParser::IndicesContext>(0);
}

VrirParser::ArgsContext* VrirParser::XchangeContext::args() {
  return getRuleContext<VrirParser::ArgsContext>(0);
}

std::vector<VrirParser::XchangeAttrContext *> VrirParser::XchangeContext::xchangeAttr() {
  return getRuleContexts<VrirParser::XchangeAttrContext>();
}

VrirParser::XchangeAttrContext* VrirParser::XchangeContext::xchangeAttr(size_t i) {
  return getRuleContext<VrirParser::XchangeAttrContext>(i);
}


size_t VrirParser::XchangeContext::getRuleIndex() const {
  return VrirParser::RuleXchange;
}


VrirParser::XchangeContext* VrirParser::xchange() {
  XchangeContext *_localctx = _tracker.createInstance<XchangeContext>(_ctx, getState());
  enterRule(_localctx, 166, VrirParser::RuleXchange);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(908);
    match(VrirParser::XchangeTok);
    setState(912);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrArrayid

    || _la == VrirParser::AttrOp) {
      setState(909);
      xchangeAttr();
      setState(914);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(915);
    vtype();
    setState(916);
    indices();
    setState(917);
    args();
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- XchangeAttrContext ------------------------------------------------------------------

VrirParser::XchangeAttrContext::XchangeAttrContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::XchangeAttrContext::AttrOp() {
  return getToken(VrirParser::AttrOp, 0);
}

VrirParser::TextContext* VrirParser::XchangeAttrContext::text() {
  return getRuleContext<VrirParser::TextContext>(0);
}

tree::TerminalNode* VrirParser::XchangeAttrContext::AttrArrayid() {
  return getToken(VrirParser::AttrArrayid, 0);
}

tree::TerminalNode* VrirParser::XchangeAttrContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}


size_t VrirParser::XchangeAttrContext::getRuleIndex() const {
  return VrirParser::RuleXchangeAttr;
}


VrirParser::XchangeAttrContext* VrirParser::xchangeAttr() {
  XchangeAttrContext *_localctx = _tracker.createInstance<XchangeAttrContext>(_ctx, getState());
  enterRule(_localctx, 168, VrirParser::RuleXchangeAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(923);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrOp: {
        enterOuterAlt(_localctx, 1);
        setState(919);
        match(VrirParser::AttrOp);
        setState(920);
        text();
        break;
      }

      case VrirParser::AttrArrayid: {
        enterOuterAlt(_localctx, 2);
        setState(921);
        match(VrirParser::AttrArrayid);
        setState(922);
        match(VrirParser::Intval);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BoolvalContext ------------------------------------------------------------------

VrirParser::BoolvalContext::BoolvalContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::BoolvalContext::TrueTok() {
  return getToken(VrirParser::TrueTok, 0);
}

tree::TerminalNode* VrirParser::BoolvalContext::FalseTok() {
  return getToken(VrirParser::FalseTok, 0);
}


size_t VrirParser::BoolvalContext::getRuleIndex() const {
  return VrirParser::RuleBoolval;
}


VrirParser::BoolvalContext* VrirParser::boolval() {
  BoolvalContext *_localctx = _tracker.createInstance<BoolvalContext>(_ctx, getState());
  enterRule(_localctx, 170, VrirParser::RuleBoolval);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(925);
    _la = _input->LA(1);
    if (!(_la == VrirParser::TrueTok

    || _la == VrirParser::FalseTok)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NumberContext ------------------------------------------------------------------

VrirParser::NumberContext::NumberContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::NumberContext::Floatval() {
  return getToken(VrirParser::Floatval, 0);
}

tree::TerminalNode* VrirParser::NumberContext::Intval() {
  return getToken(VrirParser::Intval, 0);
}

tree::TerminalNode* VrirParser::NumberContext::InfTok() {
  return getToken(VrirParser::InfTok, 0);
}

tree::TerminalNode* VrirParser::NumberContext::NanTok() {
  return getToken(VrirParser::NanTok, 0);
}


size_t VrirParser::NumberContext::getRuleIndex() const {
  return VrirParser::RuleNumber;
}


VrirParser::NumberContext* VrirParser::number() {
  NumberContext *_localctx = _tracker.createInstance<NumberContext>(_ctx, getState());
  enterRule(_localctx, 172, VrirParser::RuleNumber);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(927);
    _la = _input->LA(1);
    if (!(((((_la - 96) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 96)) & ((1ULL << (VrirParser::InfTok - 96))
      | (1ULL << (VrirParser::NanTok - 96))
      | (1ULL << (VrirParser::Intval - 96))
      | (1ULL << (VrirParser::Floatval - 96)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TextContext ------------------------------------------------------------------

VrirParser::TextContext::TextContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VrirParser::WordContext* VrirParser::TextContext::word() {
  return getRuleContext<VrirParser::WordContext>(0);
}

tree::TerminalNode* VrirParser::TextContext::String() {
  return getToken(VrirParser::String, 0);
}


size_t VrirParser::TextContext::getRuleIndex() const {
  return VrirParser::RuleText;
}


VrirParser::TextContext* VrirParser::text() {
  TextContext *_localctx = _tracker.createInstance<TextContext>(_ctx, getState());
  enterRule(_localctx, 174, VrirParser::RuleText);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(931);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::ModuleTok:
      case VrirParser::FnsTok:
      case VrirParser::FunctionTok:
      case VrirParser::ExternTok:
      case VrirParser::ArglistTok:
      case VrirParser::ArgTok:
      case VrirParser::SymtableTok:
      case VrirParser::SymTok:
      case VrirParser::BodyTok:
      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int8Tok:
      case VrirParser::Int16Tok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Uint8Tok:
      case VrirParser::Uint16Tok:
      case VrirParser::Uint32Tok:
      case VrirParser::Uint64Tok:
      case VrirParser::Float16Tok:
      case VrirParser::Bfloat16Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok:
      case VrirParser::ArrayTypeTok:
      case VrirParser::TupleTypeTok:
      case VrirParser::DomainTypeTok:
      case VrirParser::FnTypeTok:
      case VrirParser::IntypesTok:
      case VrirParser::OuttypesTok:
      case VrirParser::AssignstmtTok:
      case VrirParser::StmtlistTok:
      case VrirParser::ForstmtTok:
      case VrirParser::PforstmtTok:
      case VrirParser::WhilestmtTok:
      case VrirParser::IfstmtTok:
      case VrirParser::BreakTok:
      case VrirParser::ContinueTok:
      case VrirParser::ReturnstmtTok:
      case VrirParser::RaiseTok:
      case VrirParser::ExprstmtTok:
      case VrirParser::LhsTok:
      case VrirParser::RhsTok:
      case VrirParser::StmtsTok:
      case VrirParser::ItervarsTok:
      case VrirParser::LoopDomainTok:
      case VrirParser::SharedTok:
      case VrirParser::AutoTok:
      case VrirParser::TestTok:
      case VrirParser::IfTok:
      case VrirParser::ElseTok:
      case VrirParser::ExprsTok:
      case VrirParser::PlusTok:
      case VrirParser::MinusTok:
      case VrirParser::MultTok:
      case VrirParser::DivTok:
      case VrirParser::LtTok:
      case VrirParser::LeqTok:
      case VrirParser::GtTok:
      case VrirParser::GeqTok:
      case VrirParser::EqTok:
      case VrirParser::NeqTok:
      case VrirParser::AndTok:
      case VrirParser::OrTok:
      case VrirParser::NotTok:
      case VrirParser::NegateTok:
      case VrirParser::CastTok:
      case VrirParser::NameTok:
      case VrirParser::RealConstTok:
      case VrirParser::ComplexConstTok:
      case VrirParser::IndexTok:
      case VrirParser::IndicesTok:
      case VrirParser::FncallTok:
      case VrirParser::FnhandleTok:
      case VrirParser::LibcallTok:
      case VrirParser::ArgsTok:
      case VrirParser::AllocTok:
      case VrirParser::DimTok:
      case VrirParser::DimvecTok:
      case VrirParser::TupleTok:
      case VrirParser::ElemsTok:
      case VrirParser::ElmsTok:
      case VrirParser::TupleIndexTok:
      case VrirParser::ComplexTok:
      case VrirParser::RealTok:
      case VrirParser::ImagTok:
      case VrirParser::RangeTok:
      case VrirParser::StartTok:
      case VrirParser::StepTok:
      case VrirParser::StopTok:
      case VrirParser::DomainTok:
      case VrirParser::XchangeTok:
      case VrirParser::InfTok:
      case VrirParser::NanTok:
      case VrirParser::Name: {
        enterOuterAlt(_localctx, 1);
        setState(929);
        word();
        break;
      }

      case VrirParser::String: {
        enterOuterAlt(_localctx, 2);
        setState(930);
        match(VrirParser::String);
        break;
      }

    default:
      throw NoViableAltException(this);
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- WordContext ------------------------------------------------------------------

VrirParser::WordContext::WordContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VrirParser::WordContext::Name() {
  return getToken(VrirParser::Name, 0);
}

tree::TerminalNode* VrirParser::WordContext::InfTok() {
  return getToken(VrirParser::InfTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::NanTok() {
  return getToken(VrirParser::NanTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ModuleTok() {
  return getToken(VrirParser::ModuleTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::FnsTok() {
  return getToken(VrirParser::FnsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::FunctionTok() {
  return getToken(VrirParser::FunctionTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ExternTok() {
  return getToken(VrirParser::ExternTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ArglistTok() {
  return getToken(VrirParser::ArglistTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ArgTok() {
  return getToken(VrirParser::ArgTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::SymtableTok() {
  return getToken(VrirParser::SymtableTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::SymTok() {
  return getToken(VrirParser::SymTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::BodyTok() {
  return getToken(VrirParser::BodyTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::VoidTok() {
  return getToken(VrirParser::VoidTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::VtypeTok() {
  return getToken(VrirParser::VtypeTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::NullTok() {
  return getToken(VrirParser::NullTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Int8Tok() {
  return getToken(VrirParser::Int8Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Int16Tok() {
  return getToken(VrirParser::Int16Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Int32Tok() {
  return getToken(VrirParser::Int32Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Int64Tok() {
  return getToken(VrirParser::Int64Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Uint8Tok() {
  return getToken(VrirParser::Uint8Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Uint16Tok() {
  return getToken(VrirParser::Uint16Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Uint32Tok() {
  return getToken(VrirParser::Uint32Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Uint64Tok() {
  return getToken(VrirParser::Uint64Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Float16Tok() {
  return getToken(VrirParser::Float16Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Bfloat16Tok() {
  return getToken(VrirParser::Bfloat16Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Float32Tok() {
  return getToken(VrirParser::Float32Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Float64Tok() {
  return getToken(VrirParser::Float64Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::BoolTok() {
  return getToken(VrirParser::BoolTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ArrayTypeTok() {
  return getToken(VrirParser::ArrayTypeTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::TupleTypeTok() {
  return getToken(VrirParser::TupleTypeTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::DomainTypeTok() {
  return getToken(VrirParser::DomainTypeTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::FnTypeTok() {
  return getToken(VrirParser::FnTypeTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::IntypesTok() {
  return getToken(VrirParser::IntypesTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::OuttypesTok() {
  return getToken(VrirParser::OuttypesTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::AssignstmtTok() {
  return getToken(VrirParser::AssignstmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::StmtlistTok() {
  return getToken(VrirParser::StmtlistTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ForstmtTok() {
  return getToken(VrirParser::ForstmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::PforstmtTok() {
  return getToken(VrirParser::PforstmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::WhilestmtTok() {
  return getToken(VrirParser::WhilestmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::IfstmtTok() {
  return getToken(VrirParser::IfstmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::BreakTok() {
  return getToken(VrirParser::BreakTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ContinueTok() {
  return getToken(VrirParser::ContinueTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ReturnstmtTok() {
  return getToken(VrirParser::ReturnstmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::RaiseTok() {
  return getToken(VrirParser::RaiseTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ExprstmtTok() {
  return getToken(VrirParser::ExprstmtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::LhsTok() {
  return getToken(VrirParser::LhsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::RhsTok() {
  return getToken(VrirParser::RhsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::StmtsTok() {
  return getToken(VrirParser::StmtsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ItervarsTok() {
  return getToken(VrirParser::ItervarsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::LoopDomainTok() {
  return getToken(VrirParser::LoopDomainTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::SharedTok() {
  return getToken(VrirParser::SharedTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::AutoTok() {
  return getToken(VrirParser::AutoTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::TestTok() {
  return getToken(VrirParser::TestTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::IfTok() {
  return getToken(VrirParser::IfTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ElseTok() {
  return getToken(VrirParser::ElseTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ExprsTok() {
  return getToken(VrirParser::ExprsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::PlusTok() {
  return getToken(VrirParser::PlusTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::MinusTok() {
  return getToken(VrirParser::MinusTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::MultTok() {
  return getToken(VrirParser::MultTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::DivTok() {
  return getToken(VrirParser::DivTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::LtTok() {
  return getToken(VrirParser::LtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::LeqTok() {
  return getToken(VrirParser::LeqTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::GtTok() {
  return getToken(VrirParser::GtTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::GeqTok() {
  return getToken(VrirParser::GeqTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::EqTok() {
  return getToken(VrirParser::EqTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::NeqTok() {
  return getToken(VrirParser::NeqTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::AndTok() {
  return getToken(VrirParser::AndTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::OrTok() {
  return getToken(VrirParser::OrTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::NotTok() {
  return getToken(VrirParser::NotTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::NegateTok() {
  return getToken(VrirParser::NegateTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::CastTok() {
  return getToken(VrirParser::CastTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::NameTok() {
  return getToken(VrirParser::NameTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::RealConstTok() {
  return getToken(VrirParser::RealConstTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ComplexConstTok() {
  return getToken(VrirParser::ComplexConstTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::IndexTok() {
  return getToken(VrirParser::IndexTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::IndicesTok() {
  return getToken(VrirParser::IndicesTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::FncallTok() {
  return getToken(VrirParser::FncallTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::FnhandleTok() {
  return getToken(VrirParser::FnhandleTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::LibcallTok() {
  return getToken(VrirParser::LibcallTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ArgsTok() {
  return getToken(VrirParser::ArgsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::AllocTok() {
  return getToken(VrirParser::AllocTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::DimTok() {
  return getToken(VrirParser::DimTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::DimvecTok() {
  return getToken(VrirParser::DimvecTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::TupleTok() {
  return getToken(VrirParser::TupleTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ElemsTok() {
  return getToken(VrirParser::ElemsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ElmsTok() {
  return getToken(VrirParser::ElmsTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::TupleIndexTok() {
  return getToken(VrirParser::TupleIndexTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ComplexTok() {
  return getToken(VrirParser::ComplexTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::RealTok() {
  return getToken(VrirParser::RealTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::ImagTok() {
  return getToken(VrirParser::ImagTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::RangeTok() {
  return getToken(VrirParser::RangeTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::StartTok() {
  return getToken(VrirParser::StartTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::StepTok() {
  return getToken(VrirParser::StepTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::StopTok() {
  return getToken(VrirParser::StopTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::DomainTok() {
  return getToken(VrirParser::DomainTok, 0);
}

tree::TerminalNode* VrirParser::WordContext::XchangeTok() {
  return getToken(VrirParser::XchangeTok, 0);
}


size_t VrirParser::WordContext::getRuleIndex() const {
  return VrirParser::RuleWord;
}


VrirParser::WordContext* VrirParser::word() {
  WordContext *_localctx = _tracker.createInstance<WordContext>(_ctx, getState());
  enterRule(_localctx, 176, VrirParser::RuleWord);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(933);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VrirParser::ModuleTok)
      | (1ULL << VrirParser::FnsTok)
      | (1ULL << VrirParser::FunctionTok)
      | (1ULL << VrirParser::ExternTok)
      | (1ULL << VrirParser::ArglistTok)
      | (1ULL << VrirParser::ArgTok)
      | (1ULL << VrirParser::SymtableTok)
      | (1ULL << VrirParser::SymTok)
      | (1ULL << VrirParser::BodyTok)
      | (1ULL << VrirParser::VoidTok)
      | (1ULL << VrirParser::VtypeTok)
      | (1ULL << VrirParser::NullTok)
      | (1ULL << VrirParser::Int8Tok)
      | (1ULL << VrirParser::Int16Tok)
      | (1ULL << VrirParser::Int32Tok)
      | (1ULL << VrirParser::Int64Tok)
      | (1ULL << VrirParser::Uint8Tok)
      | (1ULL << VrirParser::Uint16Tok)
      | (1ULL << VrirParser::Uint32Tok)
      | (1ULL << VrirParser::Uint64Tok)
      | (1ULL << VrirParser::Float16Tok)
      | (1ULL << VrirParser::Bfloat16Tok)
      | (1ULL << VrirParser::Float32Tok)
      | (1ULL << VrirParser::Float64Tok)
      | (1ULL << VrirParser::BoolTok)
      | (1ULL << VrirParser::ArrayTypeTok)
      | (1ULL << VrirParser::TupleTypeTok)
      | (1ULL << VrirParser::DomainTypeTok)
      | (1ULL << VrirParser::FnTypeTok)
      | (1ULL << VrirParser::IntypesTok)
      | (1ULL << VrirParser::OuttypesTok)
      | (1ULL << VrirParser::AssignstmtTok)
      | (1ULL << VrirParser::StmtlistTok)
      | (1ULL << VrirParser::ForstmtTok)
      | (1ULL << VrirParser::PforstmtTok)
      | (1ULL << VrirParser::WhilestmtTok)
      | (1ULL << VrirParser::IfstmtTok)
      | (1ULL << VrirParser::BreakTok)
      | (1ULL << VrirParser::ContinueTok)
      | (1ULL << VrirParser::ReturnstmtTok)
      | (1ULL << VrirParser::RaiseTok)
      | (1ULL << VrirParser::ExprstmtTok)
      | (1ULL << VrirParser::LhsTok)
      | (1ULL << VrirParser::RhsTok)
      | (1ULL << VrirParser::StmtsTok)
      | (1ULL << VrirParser::ItervarsTok)
      | (1ULL << VrirParser::LoopDomainTok)
      | (1ULL << VrirParser::SharedTok)
      | (1ULL << VrirParser::AutoTok)
      | (1ULL << VrirParser::TestTok)
      | (1ULL << VrirParser::IfTok)
      | (1ULL << VrirParser::ElseTok)
      | (1ULL << VrirParser::ExprsTok)
      | (1ULL << VrirParser::PlusTok)
      | (1ULL << VrirParser::MinusTok)
      | (1ULL << VrirParser::MultTok)
      | (1ULL << VrirParser::DivTok)
      | (1ULL << VrirParser::LtTok)
      | (1ULL << VrirParser::LeqTok)
      | (1ULL << VrirParser::GtTok)
      | (1ULL << VrirParser::GeqTok))) != 0) || ((((_la - 64) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 64)) & ((1ULL << (VrirParser::EqTok - 64))
      | (1ULL << (VrirParser::NeqTok - 64))
      | (1ULL << (VrirParser::AndTok - 64))
      | (1ULL << (VrirParser::OrTok - 64))
      | (1ULL << (VrirParser::NotTok - 64))
      | (1ULL << (VrirParser::NegateTok - 64))
      | (1ULL << (VrirParser::CastTok - 64))
      | (1ULL << (VrirParser::NameTok - 64))
      | (1ULL << (VrirParser::RealConstTok - 64))
      | (1ULL << (VrirParser::ComplexConstTok - 64))
      | (1ULL << (VrirParser::IndexTok - 64))
      | (1ULL << (VrirParser::IndicesTok - 64))
      | (1ULL << (VrirParser::FncallTok - 64))
      | (1ULL << (VrirParser::FnhandleTok - 64))
      | (1ULL << (VrirParser::LibcallTok - 64))
      | (1ULL << (VrirParser::ArgsTok - 64))
      | (1ULL << (VrirParser::AllocTok - 64))
      | (1ULL << (VrirParser::DimTok - 64))
      | (1ULL << (VrirParser::DimvecTok - 64))
      | (1ULL << (VrirParser::TupleTok - 64))
      | (1ULL << (VrirParser::ElemsTok - 64))
      | (1ULL << (VrirParser::ElmsTok - 64))
      | (1ULL << (VrirParser::TupleIndexTok - 64))
      | (1ULL << (VrirParser::ComplexTok - 64))
      | (1ULL << (VrirParser::RealTok - 64))
      | (1ULL << (VrirParser::ImagTok - 64))
      | (1ULL << (VrirParser::RangeTok - 64))
      | (1ULL << (VrirParser::StartTok - 64))
      | (1ULL << (VrirParser::StepTok - 64))
      | (1ULL << (VrirParser::StopTok - 64))
      | (1ULL << (VrirParser::DomainTok - 64))
      | (1ULL << (VrirParser::XchangeTok - 64))
      | (1ULL << (VrirParser::InfTok - 64))
      | (1ULL << (VrirParser::NanTok - 64)))) != 0) || _la == VrirParser::Name)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
   
  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

// Static vars and initialization.
std::vector<dfa::DFA> VrirParser::_decisionToDFA;
atn::PredictionContextCache VrirParser::_sharedContextCache;

// We own the ATN which in turn owns the ATN states.
atn::ATN VrirParser::_atn;
std::vector<uint16_t> VrirParser::_serializedATN;

std::vector<std::string> VrirParser::_ruleNames = {
  "module", "moduleAttr", "moduleName", "function", "locAttr", "arglist", 
  "fnarg", "symtable", "sym", "body", "vtype", "typeBody", "scalartype", 
  "arraytype", "arrayAttr", "tupletype", "domaintype", "fntype", "fntypePart", 
  "voidtype", "nulltype", "statement", "statementBody", "assignstmt", "lhs", 
  "rhs", "stmtlist", "stmtlistAttr", "forstmt", "itervars", "symref", "loopdomain", 
  "pforstmt", "pforAttr", "pforPart", "whilestmt", "test", "ifstmt", "ifBody", 
  "elseBody", "breakstmt", "continuestmt", "returnstmt", "raisestmt", "raiseAttr", 
  "exprstmt", "expr", "exprBody", "binary", "lhsOperand", "rhsOperand", 
  "logic", "operand", "unary", "unaryplus", "name", "realconst", "complexconst", 
  "complexAttr", "indexexpr", "indexAttr", "indices", "aindex", "aindexAttr", 
  "fncall", "fnhandle", "libcall", "alloc", "args", "dim", "dimAttr", "dimvec", 
  "tuple", "elems", "tupleindex", "tupleindexAttr", "complexexpr", "realexpr", 
  "imagexpr", "range", "rangePart", "domain", "domainRange", "xchange", 
  "xchangeAttr", "boolval", "number", "text", "word"
};

std::vector<std::string> VrirParser::_literalNames = {
  "", "'('", "')'", "'module'", "'fns'", "'function'", "'extern'", "'arglist'", 
  "'arg'", "'symtable'", "'sym'", "'body'", "'void'", "'vtype'", "'null'", 
  "'int8'", "'int16'", "'int32'", "'int64'", "'uint8'", "'uint16'", "'uint32'", 
  "'uint64'", "'float16'", "'bfloat16'", "'float32'", "'float64'", "'bool'", 
  "'arraytype'", "'tupletype'", "'domaintype'", "'functype'", "'intypes'", 
  "'outtypes'", "'assignstmt'", "'stmtlist'", "'forstmt'", "'pforstmt'", 
  "'whilestmt'", "'ifstmt'", "'break'", "'continue'", "'returnstmt'", "'raise'", 
  "'exprstmt'", "'lhs'", "'rhs'", "'stmts'", "'itervars'", "'loopdomain'", 
  "'shared'", "'auto'", "'test'", "'if'", "'else'", "'exprs'", "'plus'", 
  "'minus'", "'mult'", "'div'", "'lt'", "'leq'", "'gt'", "'geq'", "'eq'", 
  "'neq'", "'and'", "'or'", "'not'", "'negate'", "'cast'", "'name'", "'realconst'", 
  "'complexconst'", "'index'", "'indices'", "'fncall'", "'fnhandle'", "'libcall'", 
  "'args'", "'alloc'", "'dim'", "'dimvec'", "'tuple'", "'elems'", "'elms'", 
  "'tupleindex'", "'complex'", "'real'", "'imag'", "'range'", "'start'", 
  "'step'", "'stop'", "'domain'", "'xchange'", "'inf'", "'nan'", "':name'", 
  "':indexing'", "':exclude'", "':flatten'", "':grow'", "':assign'", "':slices'", 
  "':nan'", "':memory'", "':mindims'", "':fastmath'", "':broadcast'", "':promote'", 
  "':overflow'", "':vrir'", "':loc'", "':id'", "':ctype'", "':layout'", 
  "':ndims'", "':onGpu'", "':shared'", "':ival'", "':dval'", "':fval'", 
  "':re'", "':im'", "':arrayid'", "':copyslice'", "':boundscheck'", "':negative'", 
  "':minbounds'", "':maxbounds'", "':fnname'", "':libfunc'", "':func'", 
  "':dimid'", "':index'", "':tupleid'", "':op'", "':parallel'", "':code'", 
  "':text'", "", "'%1'", "'%0'"
};

std::vector<std::string> VrirParser::_symbolicNames = {
  "", "Lp", "Rp", "ModuleTok", "FnsTok", "FunctionTok", "ExternTok", "ArglistTok", 
  "ArgTok", "SymtableTok", "SymTok", "BodyTok", "VoidTok", "VtypeTok", "NullTok", 
  "Int8Tok", "Int16Tok", "Int32Tok", "Int64Tok", "Uint8Tok", "Uint16Tok", 
  "Uint32Tok", "Uint64Tok", "Float16Tok", "Bfloat16Tok", "Float32Tok", "Float64Tok", 
  "BoolTok", "ArrayTypeTok", "TupleTypeTok", "DomainTypeTok", "FnTypeTok", 
  "IntypesTok", "OuttypesTok", "AssignstmtTok", "StmtlistTok", "ForstmtTok", 
  "PforstmtTok", "WhilestmtTok", "IfstmtTok", "BreakTok", "ContinueTok", 
  "ReturnstmtTok", "RaiseTok", "ExprstmtTok", "LhsTok", "RhsTok", "StmtsTok", 
  "ItervarsTok", "LoopDomainTok", "SharedTok", "AutoTok", "TestTok", "IfTok", 
  "ElseTok", "ExprsTok", "PlusTok", "MinusTok", "MultTok", "DivTok", "LtTok", 
  "LeqTok", "GtTok", "GeqTok", "EqTok", "NeqTok", "AndTok", "OrTok", "NotTok", 
  "NegateTok", "CastTok", "NameTok", "RealConstTok", "ComplexConstTok", 
  "IndexTok", "IndicesTok", "FncallTok", "FnhandleTok", "LibcallTok", "ArgsTok", 
  "AllocTok", "DimTok", "DimvecTok", "TupleTok", "ElemsTok", "ElmsTok", 
  "TupleIndexTok", "ComplexTok", "RealTok", "ImagTok", "RangeTok", "StartTok", 
  "StepTok", "StopTok", "DomainTok", "XchangeTok", "InfTok", "NanTok", "AttrName", 
  "AttrIndexing", "AttrExclude", "AttrFlatten", "AttrGrow", "AttrAssign", 
  "AttrSlices", "AttrNan", "AttrMemory", "AttrMindims", "AttrFastmath", 
  "AttrBroadcast", "AttrPromote", "AttrOverflow", "AttrVrir", "AttrLoc", 
  "AttrId", "AttrCtype", "AttrLayout", "AttrNdims", "AttrOnGpu", "AttrShared", 
  "AttrIval", "AttrDval", "AttrFval", "AttrRe", "AttrIm", "AttrArrayid", 
  "AttrCopyslice", "AttrBoundscheck", "AttrNegative", "AttrMinBounds", "AttrMaxBounds", 
  "AttrFnname", "AttrLibfunc", "AttrFunc", "AttrDimid", "AttrIndex", "AttrTupleid", 
  "AttrOp", "AttrParallel", "AttrCode", "AttrText", "AttrUnknown", "TrueTok", 
  "FalseTok", "Name", "Intval", "Floatval", "String", "Comment", "WS", "Junk", 
  "ModuleText"
};

dfa::Vocabulary VrirParser::_vocabulary(_literalNames, _symbolicNames);

std::vector<std::string> VrirParser::_tokenNames;

VrirParser::Initializer::Initializer() {
	for (size_t i = 0; i < _symbolicNames.size(); ++i) {
		std::string name = _vocabulary.getLiteralName(i);
		if (name.empty()) {
			name = _vocabulary.getSymbolicName(i);
		}

		if (name.empty()) {
			_tokenNames.push_back("<INVALID>");
		} else {
      _tokenNames.push_back(name);
    }
	}

  _serializedATN = {
    0x3, 0x608b, 0xa72a, 0x8133, 0xb9ed, 0x417c, 0x3be7, 0x7786, 0x5964, 
    0x3, 0x99, 0x3aa, 0x4, 0x2, 0x9, 0x2, 0x4, 0x3, 0x9, 0x3, 0x4, 0x4, 
    0x9, 0x4, 0x4, 0x5, 0x9, 0x5, 0x4, 0x6, 0x9, 0x6, 0x4, 0x7, 0x9, 0x7, 
    0x4, 0x8, 0x9, 0x8, 0x4, 0x9, 0x9, 0x9, 0x4, 0xa, 0x9, 0xa, 0x4, 0xb, 
    0x9, 0xb, 0x4, 0xc, 0x9, 0xc, 0x4, 0xd, 0x9, 0xd, 0x4, 0xe, 0x9, 0xe, 
    0x4, 0xf, 0x9, 0xf, 0x4, 0x10, 0x9, 0x10, 0x4, 0x11, 0x9, 0x11, 0x4, 
    0x12, 0x9, 0x12, 0x4, 0x13, 0x9, 0x13, 0x4, 0x14, 0x9, 0x14, 0x4, 0x15, 
    0x9, 0x15, 0x4, 0x16, 0x9, 0x16, 0x4, 0x17, 0x9, 0x17, 0x4, 0x18, 0x9, 
    0x18, 0x4, 0x19, 0x9, 0x19, 0x4, 0x1a, 0x9, 0x1a, 0x4, 0x1b, 0x9, 0x1b, 
    0x4, 0x1c, 0x9, 0x1c, 0x4, 0x1d, 0x9, 0x1d, 0x4, 0x1e, 0x9, 0x1e, 0x4, 
    0x1f, 0x9, 0x1f, 0x4, 0x20, 0x9, 0x20, 0x4, 0x21, 0x9, 0x21, 0x4, 0x22, 
    0x9, 0x22, 0x4, 0x23, 0x9, 0x23, 0x4, 0x24, 0x9, 0x24, 0x4, 0x25, 0x9, 
    0x25, 0x4, 0x26, 0x9, 0x26, 0x4, 0x27, 0x9, 0x27, 0x4, 0x28, 0x9, 0x28, 
    0x4, 0x29, 0x9, 0x29, 0x4, 0x2a, 0x9, 0x2a, 0x4, 0x2b, 0x9, 0x2b, 0x4, 
    0x2c, 0x9, 0x2c, 0x4, 0x2d, 0x9, 0x2d, 0x4, 0x2e, 0x9, 0x2e, 0x4, 0x2f, 
    0x9, 0x2f, 0x4, 0x30, 0x9, 0x30, 0x4, 0x31, 0x9, 0x31, 0x4, 0x32, 0x9, 
    0x32, 0x4, 0x33, 0x9, 0x33, 0x4, 0x34, 0x9, 0x34, 0x4, 0x35, 0x9, 0x35, 
    0x4, 0x36, 0x9, 0x36, 0x4, 0x37, 0x9, 0x37, 0x4, 0x38, 0x9, 0x38, 0x4, 
    0x39, 0x9, 0x39, 0x4, 0x3a, 0x9, 0x3a, 0x4, 0x3b, 0x9, 0x3b, 0x4, 0x3c, 
    0x9, 0x3c, 0x4, 0x3d, 0x9, 0x3d, 0x4, 0x3e, 0x9, 0x3e, 0x4, 0x3f, 0x9, 
    0x3f, 0x4, 0x40, 0x9, 0x40, 0x4, 0x41, 0x9, 0x41, 0x4, 0x42, 0x9, 0x42, 
    0x4, 0x43, 0x9, 0x43, 0x4, 0x44, 0x9, 0x44, 0x4, 0x45, 0x9, 0x45, 0x4, 
    0x46, 0x9, 0x46, 0x4, 0x47, 0x9, 0x47, 0x4, 0x48, 0x9, 0x48, 0x4, 0x49, 
    0x9, 0x49, 0x4, 0x4a, 0x9, 0x4a, 0x4, 0x4b, 0x9, 0x4b, 0x4, 0x4c, 0x9, 
    0x4c, 0x4, 0x4d, 0x9, 0x4d, 0x4, 0x4e, 0x9, 0x4e, 0x4, 0x4f, 0x9, 0x4f, 
    0x4, 0x50, 0x9, 0x50, 0x4, 0x51, 0x9, 0x51, 0x4, 0x52, 0x9, 0x52, 0x4, 
    0x53, 0x9, 0x53, 0x4, 0x54, 0x9, 0x54, 0x4, 0x55, 0x9, 0x55, 0x4, 0x56, 
    0x9, 0x56, 0x4, 0x57, 0x9, 0x57, 0x4, 0x58, 0x9, 0x58, 0x4, 0x59, 0x9, 
    0x59, 0x4, 0x5a, 0x9, 0x5a, 0x3, 0x2, 0x3, 0x2, 0x3, 0x2, 0x7, 0x2, 
    0xb8, 0xa, 0x2, 0xc, 0x2, 0xe, 0x2, 0xbb, 0xb, 0x2, 0x3, 0x2, 0x3, 0x2, 
    0x3, 0x2, 0x7, 0x2, 0xc0, 0xa, 0x2, 0xc, 0x2, 0xe, 0x2, 0xc3, 0xb, 0x2, 
    0x3, 0x2, 0x3, 0x2, 0x3, 0x2, 0x3, 0x2, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x6, 0x3, 
    0xe0, 0xa, 0x3, 0xd, 0x3, 0xe, 0x3, 0xe1, 0x3, 0x3, 0x3, 0x3, 0x7, 0x3, 
    0xe6, 0xa, 0x3, 0xc, 0x3, 0xe, 0x3, 0xe9, 0xb, 0x3, 0x3, 0x3, 0x5, 0x3, 
    0xec, 0xa, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x5, 0x3, 0xf6, 0xa, 0x3, 0x3, 0x4, 0x3, 0x4, 
    0x5, 0x4, 0xfa, 0xa, 0x4, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x5, 0x5, 0xff, 
    0xa, 0x5, 0x3, 0x5, 0x5, 0x5, 0x102, 0xa, 0x5, 0x3, 0x5, 0x3, 0x5, 0x5, 
    0x5, 0x106, 0xa, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 
    0x3, 0x5, 0x3, 0x5, 0x5, 0x5, 0x10f, 0xa, 0x5, 0x3, 0x5, 0x5, 0x5, 0x112, 
    0xa, 0x5, 0x3, 0x5, 0x3, 0x5, 0x5, 0x5, 0x116, 0xa, 0x5, 0x3, 0x5, 0x3, 
    0x5, 0x5, 0x5, 0x11a, 0xa, 0x5, 0x3, 0x5, 0x3, 0x5, 0x5, 0x5, 0x11e, 
    0xa, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x6, 0x3, 0x6, 0x3, 0x6, 0x3, 0x7, 
    0x3, 0x7, 0x3, 0x7, 0x7, 0x7, 0x128, 0xa, 0x7, 0xc, 0x7, 0xe, 0x7, 0x12b, 
    0xb, 0x7, 0x3, 0x7, 0x3, 0x7, 0x3, 0x8, 0x3, 0x8, 0x3, 0x8, 0x3, 0x8, 
    0x3, 0x8, 0x3, 0x8, 0x5, 0x8, 0x135, 0xa, 0x8, 0x3, 0x9, 0x3, 0x9, 0x3, 
    0x9, 0x7, 0x9, 0x13a, 0xa, 0x9, 0xc, 0x9, 0xe, 0x9, 0x13d, 0xb, 0x9, 
    0x3, 0x9, 0x3, 0x9, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 
    0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xb, 0x3, 0xb, 0x3, 0xb, 
    0x7, 0xb, 0x14d, 0xa, 0xb, 0xc, 0xb, 0xe, 0xb, 0x150, 0xb, 0xb, 0x3, 
    0xb, 0x3, 0xb, 0x3, 0xc, 0x3, 0xc, 0x3, 0xc, 0x3, 0xc, 0x3, 0xc, 0x5, 
    0xc, 0x159, 0xa, 0xc, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 
    0x3, 0xd, 0x3, 0xd, 0x5, 0xd, 0x162, 0xa, 0xd, 0x3, 0xe, 0x3, 0xe, 0x3, 
    0xe, 0x5, 0xe, 0x167, 0xa, 0xe, 0x3, 0xf, 0x3, 0xf, 0x7, 0xf, 0x16b, 
    0xa, 0xf, 0xc, 0xf, 0xe, 0xf, 0x16e, 0xb, 0xf, 0x3, 0xf, 0x3, 0xf, 0x3, 
    0x10, 0x3, 0x10, 0x3, 0x10, 0x3, 0x10, 0x5, 0x10, 0x176, 0xa, 0x10, 
    0x3, 0x11, 0x3, 0x11, 0x7, 0x11, 0x17a, 0xa, 0x11, 0xc, 0x11, 0xe, 0x11, 
    0x17d, 0xb, 0x11, 0x3, 0x12, 0x3, 0x12, 0x3, 0x12, 0x5, 0x12, 0x182, 
    0xa, 0x12, 0x3, 0x12, 0x6, 0x12, 0x185, 0xa, 0x12, 0xd, 0x12, 0xe, 0x12, 
    0x186, 0x3, 0x13, 0x3, 0x13, 0x7, 0x13, 0x18b, 0xa, 0x13, 0xc, 0x13, 
    0xe, 0x13, 0x18e, 0xb, 0x13, 0x3, 0x14, 0x3, 0x14, 0x3, 0x14, 0x7, 0x14, 
    0x193, 0xa, 0x14, 0xc, 0x14, 0xe, 0x14, 0x196, 0xb, 0x14, 0x3, 0x14, 
    0x3, 0x14, 0x7, 0x14, 0x19a, 0xa, 0x14, 0xc, 0x14, 0xe, 0x14, 0x19d, 
    0xb, 0x14, 0x3, 0x14, 0x5, 0x14, 0x1a0, 0xa, 0x14, 0x3, 0x14, 0x3, 0x14, 
    0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x5, 0x15, 0x1a8, 0xa, 0x15, 
    0x3, 0x16, 0x3, 0x16, 0x3, 0x16, 0x5, 0x16, 0x1ad, 0xa, 0x16, 0x3, 0x17, 
    0x3, 0x17, 0x3, 0x17, 0x3, 0x17, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 
    0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 
    0x3, 0x18, 0x5, 0x18, 0x1be, 0xa, 0x18, 0x3, 0x19, 0x3, 0x19, 0x5, 0x19, 
    0x1c2, 0xa, 0x19, 0x3, 0x19, 0x3, 0x19, 0x3, 0x19, 0x3, 0x1a, 0x3, 0x1a, 
    0x3, 0x1a, 0x7, 0x1a, 0x1ca, 0xa, 0x1a, 0xc, 0x1a, 0xe, 0x1a, 0x1cd, 
    0xb, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1b, 0x3, 0x1b, 0x3, 0x1b, 0x5, 
    0x1b, 0x1d4, 0xa, 0x1b, 0x3, 0x1b, 0x3, 0x1b, 0x3, 0x1c, 0x3, 0x1c, 
    0x7, 0x1c, 0x1da, 0xa, 0x1c, 0xc, 0x1c, 0xe, 0x1c, 0x1dd, 0xb, 0x1c, 
    0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x7, 0x1c, 0x1e2, 0xa, 0x1c, 0xc, 0x1c, 
    0xe, 0x1c, 0x1e5, 0xb, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1d, 0x3, 0x1d, 
    0x3, 0x1d, 0x5, 0x1d, 0x1ec, 0xa, 0x1d, 0x3, 0x1e, 0x3, 0x1e, 0x5, 0x1e, 
    0x1f0, 0xa, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1f, 
    0x3, 0x1f, 0x3, 0x1f, 0x6, 0x1f, 0x1f9, 0xa, 0x1f, 0xd, 0x1f, 0xe, 0x1f, 
    0x1fa, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 
    0x3, 0x20, 0x3, 0x20, 0x5, 0x20, 0x205, 0xa, 0x20, 0x3, 0x21, 0x3, 0x21, 
    0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x22, 0x3, 0x22, 0x7, 0x22, 0x20e, 
    0xa, 0x22, 0xc, 0x22, 0xe, 0x22, 0x211, 0xb, 0x22, 0x3, 0x22, 0x3, 0x22, 
    0x3, 0x22, 0x6, 0x22, 0x216, 0xa, 0x22, 0xd, 0x22, 0xe, 0x22, 0x217, 
    0x3, 0x23, 0x3, 0x23, 0x3, 0x23, 0x5, 0x23, 0x21d, 0xa, 0x23, 0x3, 0x24, 
    0x3, 0x24, 0x3, 0x24, 0x3, 0x24, 0x7, 0x24, 0x223, 0xa, 0x24, 0xc, 0x24, 
    0xe, 0x24, 0x226, 0xb, 0x24, 0x5, 0x24, 0x228, 0xa, 0x24, 0x3, 0x24, 
    0x3, 0x24, 0x7, 0x24, 0x22c, 0xa, 0x24, 0xc, 0x24, 0xe, 0x24, 0x22f, 
    0xb, 0x24, 0x5, 0x24, 0x231, 0xa, 0x24, 0x3, 0x24, 0x3, 0x24, 0x3, 0x25, 
    0x3, 0x25, 0x5, 0x25, 0x237, 0xa, 0x25, 0x3, 0x25, 0x3, 0x25, 0x3, 0x25, 
    0x3, 0x26, 0x3, 0x26, 0x3, 0x26, 0x3, 0x26, 0x3, 0x26, 0x3, 0x27, 0x3, 
    0x27, 0x5, 0x27, 0x243, 0xa, 0x27, 0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 
    0x5, 0x27, 0x248, 0xa, 0x27, 0x3, 0x28, 0x3, 0x28, 0x3, 0x28, 0x7, 0x28, 
    0x24d, 0xa, 0x28, 0xc, 0x28, 0xe, 0x28, 0x250, 0xb, 0x28, 0x3, 0x28, 
    0x3, 0x28, 0x3, 0x29, 0x3, 0x29, 0x3, 0x29, 0x7, 0x29, 0x257, 0xa, 0x29, 
    0xc, 0x29, 0xe, 0x29, 0x25a, 0xb, 0x29, 0x3, 0x29, 0x3, 0x29, 0x3, 0x2a, 
    0x3, 0x2a, 0x5, 0x2a, 0x260, 0xa, 0x2a, 0x3, 0x2b, 0x3, 0x2b, 0x5, 0x2b, 
    0x264, 0xa, 0x2b, 0x3, 0x2c, 0x3, 0x2c, 0x5, 0x2c, 0x268, 0xa, 0x2c, 
    0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x7, 0x2c, 0x26d, 0xa, 0x2c, 0xc, 0x2c, 
    0xe, 0x2c, 0x270, 0xb, 0x2c, 0x3, 0x2c, 0x5, 0x2c, 0x273, 0xa, 0x2c, 
    0x3, 0x2d, 0x3, 0x2d, 0x7, 0x2d, 0x277, 0xa, 0x2d, 0xc, 0x2d, 0xe, 0x2d, 
    0x27a, 0xb, 0x2d, 0x3, 0x2d, 0x5, 0x2d, 0x27d, 0xa, 0x2d, 0x3, 0x2e, 
    0x3, 0x2e, 0x3, 0x2e, 0x3, 0x2e, 0x3, 0x2e, 0x5, 0x2e, 0x284, 0xa, 0x2e, 
    0x3, 0x2f, 0x3, 0x2f, 0x5, 0x2f, 0x288, 0xa, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 
    0x3, 0x30, 0x3, 0x30, 0x3, 0x30, 0x3, 0x30, 0x3, 0x31, 0x3, 0x31, 0x3, 
    0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 
    0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 
    0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 
    0x5, 0x31, 0x2a6, 0xa, 0x31, 0x3, 0x32, 0x3, 0x32, 0x3, 0x32, 0x3, 0x32, 
    0x3, 0x32, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 
    0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x35, 0x3, 0x35, 
    0x3, 0x35, 0x3, 0x35, 0x3, 0x35, 0x3, 0x36, 0x3, 0x36, 0x3, 0x36, 0x3, 
    0x36, 0x3, 0x36, 0x3, 0x36, 0x5, 0x36, 0x2c2, 0xa, 0x36, 0x3, 0x36, 
    0x3, 0x36, 0x3, 0x37, 0x3, 0x37, 0x3, 0x37, 0x3, 0x37, 0x3, 0x38, 0x3, 
    0x38, 0x3, 0x38, 0x3, 0x39, 0x3, 0x39, 0x3, 0x39, 0x3, 0x39, 0x3, 0x39, 
    0x3, 0x3a, 0x3, 0x3a, 0x3, 0x3a, 0x3, 0x3a, 0x3, 0x3a, 0x5, 0x3a, 0x2d7, 
    0xa, 0x3a, 0x3, 0x3a, 0x3, 0x3a, 0x3, 0x3b, 0x3, 0x3b, 0x7, 0x3b, 0x2dd, 
    0xa, 0x3b, 0xc, 0x3b, 0xe, 0x3b, 0x2e0, 0xb, 0x3b, 0x3, 0x3b, 0x3, 0x3b, 
    0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3d, 0x3, 0x3d, 0x7, 0x3d, 0x2e9, 
    0xa, 0x3d, 0xc, 0x3d, 0xe, 0x3d, 0x2ec, 0xb, 0x3d, 0x3, 0x3d, 0x3, 0x3d, 
    0x3, 0x3d, 0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x3, 
    0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x5, 0x3e, 0x2f9, 0xa, 0x3e, 0x3, 0x3f, 
    0x3, 0x3f, 0x3, 0x3f, 0x6, 0x3f, 0x2fe, 0xa, 0x3f, 0xd, 0x3f, 0xe, 0x3f, 
    0x2ff, 0x3, 0x3f, 0x3, 0x3f, 0x3, 0x40, 0x3, 0x40, 0x3, 0x40, 0x7, 0x40, 
    0x307, 0xa, 0x40, 0xc, 0x40, 0xe, 0x40, 0x30a, 0xb, 0x40, 0x3, 0x40, 
    0x3, 0x40, 0x3, 0x40, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 0x3, 0x42, 0x3, 
    0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x43, 0x3, 0x43, 
    0x3, 0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x44, 0x3, 0x44, 0x3, 0x44, 0x3, 
    0x44, 0x3, 0x44, 0x3, 0x44, 0x3, 0x45, 0x3, 0x45, 0x3, 0x45, 0x3, 0x45, 
    0x3, 0x45, 0x3, 0x45, 0x3, 0x46, 0x3, 0x46, 0x3, 0x46, 0x7, 0x46, 0x32c, 
    0xa, 0x46, 0xc, 0x46, 0xe, 0x46, 0x32f, 0xb, 0x46, 0x3, 0x46, 0x3, 0x46, 
    0x3, 0x47, 0x3, 0x47, 0x7, 0x47, 0x335, 0xa, 0x47, 0xc, 0x47, 0xe, 0x47, 
    0x338, 0xb, 0x47, 0x3, 0x47, 0x3, 0x47, 0x3, 0x48, 0x3, 0x48, 0x3, 0x48, 
    0x3, 0x49, 0x3, 0x49, 0x3, 0x49, 0x3, 0x49, 0x3, 0x49, 0x3, 0x4a, 0x3, 
    0x4a, 0x3, 0x4a, 0x3, 0x4a, 0x3, 0x4b, 0x3, 0x4b, 0x3, 0x4b, 0x7, 0x4b, 
    0x34b, 0xa, 0x4b, 0xc, 0x4b, 0xe, 0x4b, 0x34e, 0xb, 0x4b, 0x3, 0x4b, 
    0x3, 0x4b, 0x3, 0x4c, 0x3, 0x4c, 0x7, 0x4c, 0x354, 0xa, 0x4c, 0xc, 0x4c, 
    0xe, 0x4c, 0x357, 0xb, 0x4c, 0x3, 0x4c, 0x3, 0x4c, 0x3, 0x4d, 0x3, 0x4d, 
    0x3, 0x4d, 0x3, 0x4e, 0x3, 0x4e, 0x3, 0x4e, 0x3, 0x4e, 0x3, 0x4e, 0x3, 
    0x4f, 0x3, 0x4f, 0x3, 0x4f, 0x3, 0x4f, 0x3, 0x4f, 0x3, 0x50, 0x3, 0x50, 
    0x3, 0x50, 0x3, 0x50, 0x3, 0x50, 0x3, 0x51, 0x3, 0x51, 0x3, 0x51, 0x5, 
    0x51, 0x370, 0xa, 0x51, 0x3, 0x51, 0x7, 0x51, 0x373, 0xa, 0x51, 0xc, 
    0x51, 0xe, 0x51, 0x376, 0xb, 0x51, 0x3, 0x52, 0x3, 0x52, 0x3, 0x52, 
    0x3, 0x52, 0x3, 0x52, 0x3, 0x52, 0x3, 0x52, 0x3, 0x52, 0x5, 0x52, 0x380, 
    0xa, 0x52, 0x3, 0x52, 0x3, 0x52, 0x3, 0x53, 0x3, 0x53, 0x3, 0x53, 0x6, 
    0x53, 0x387, 0xa, 0x53, 0xd, 0x53, 0xe, 0x53, 0x388, 0x3, 0x54, 0x3, 
    0x54, 0x3, 0x54, 0x3, 0x54, 0x3, 0x55, 0x3, 0x55, 0x7, 0x55, 0x391, 
    0xa, 0x55, 0xc, 0x55, 0xe, 0x55, 0x394, 0xb, 0x55, 0x3, 0x55, 0x3, 0x55, 
    0x3, 0x55, 0x3, 0x55, 0x3, 0x56, 0x3, 0x56, 0x3, 0x56, 0x3, 0x56, 0x5, 
    0x56, 0x39e, 0xa, 0x56, 0x3, 0x57, 0x3, 0x57, 0x3, 0x58, 0x3, 0x58, 
    0x3, 0x59, 0x3, 0x59, 0x5, 0x59, 0x3a6, 0xa, 0x59, 0x3, 0x5a, 0x3, 0x5a, 
    0x3, 0x5a, 0x2, 0x2, 0x5b, 0x2, 0x4, 0x6, 0x8, 0xa, 0xc, 0xe, 0x10, 
    0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c, 0x1e, 0x20, 0x22, 0x24, 0x26, 0x28, 
    0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x34, 0x36, 0x38, 0x3a, 0x3c, 0x3e, 0x40, 
    0x42, 0x44, 0x46, 0x48, 0x4a, 0x4c, 0x4e, 0x50, 0x52, 0x54, 0x56, 0x58, 
    0x5a, 0x5c, 0x5e, 0x60, 0x62, 0x64, 0x66, 0x68, 0x6a, 0x6c, 0x6e, 0x70, 
    0x72, 0x74, 0x76, 0x78, 0x7a, 0x7c, 0x7e, 0x80, 0x82, 0x84, 0x86, 0x88, 
    0x8a, 0x8c, 0x8e, 0x90, 0x92, 0x94, 0x96, 0x98, 0x9a, 0x9c, 0x9e, 0xa0, 
    0xa2, 0xa4, 0xa6, 0xa8, 0xaa, 0xac, 0xae, 0xb0, 0xb2, 0x2, 0x10, 0x3, 
    0x2, 0x11, 0x1d, 0x3, 0x2, 0x3a, 0x43, 0x3, 0x2, 0x44, 0x45, 0x3, 0x2, 
    0x46, 0x48, 0x3, 0x2, 0x7b, 0x7c, 0x3, 0x2, 0x7d, 0x7e, 0x4, 0x2, 0x68, 
    0x68, 0x81, 0x84, 0x4, 0x2, 0x7f, 0x7f, 0x88, 0x88, 0x4, 0x2, 0x74, 
    0x74, 0x7f, 0x7f, 0x3, 0x2, 0x56, 0x57, 0x3, 0x2, 0x89, 0x8a, 0x3, 0x2, 
    0x90, 0x91, 0x4, 0x2, 0x62, 0x63, 0x93, 0x94, 0x4, 0x2, 0x5, 0x63, 0x92, 
    0x92, 0x2, 0x3da, 0x2, 0xb4, 0x3, 0x2, 0x2, 0x2, 0x4, 0xf5, 0x3, 0x2, 
    0x2, 0x2, 0x6, 0xf9, 0x3, 0x2, 0x2, 0x2, 0x8, 0xfb, 0x3, 0x2, 0x2, 0x2, 
    0xa, 0x121, 0x3, 0x2, 0x2, 0x2, 0xc, 0x124, 0x3, 0x2, 0x2, 0x2, 0xe, 
    0x134, 0x3, 0x2, 0x2, 0x2, 0x10, 0x136, 0x3, 0x2, 0x2, 0x2, 0x12, 0x140, 
    0x3, 0x2, 0x2, 0x2, 0x14, 0x149, 0x3, 0x2, 0x2, 0x2, 0x16, 0x158, 0x3, 
    0x2, 0x2, 0x2, 0x18, 0x161, 0x3, 0x2, 0x2, 0x2, 0x1a, 0x163, 0x3, 0x2, 
    0x2, 0x2, 0x1c, 0x168, 0x3, 0x2, 0x2, 0x2, 0x1e, 0x175, 0x3, 0x2, 0x2, 
    0x2, 0x20, 0x177, 0x3, 0x2, 0x2, 0x2, 0x22, 0x17e, 0x3, 0x2, 0x2, 0x2, 
    0x24, 0x188, 0x3, 0x2, 0x2, 0x2, 0x26, 0x18f, 0x3, 0x2, 0x2, 0x2, 0x28, 
    0x1a7, 0x3, 0x2, 0x2, 0x2, 0x2a, 0x1a9, 0x3, 0x2, 0x2, 0x2, 0x2c, 0x1ae, 
    0x3, 0x2, 0x2, 0x2, 0x2e, 0x1bd, 0x3, 0x2, 0x2, 0x2, 0x30, 0x1bf, 0x3, 
    0x2, 0x2, 0x2, 0x32, 0x1c6, 0x3, 0x2, 0x2, 0x2, 0x34, 0x1d0, 0x3, 0x2, 
    0x2, 0x2, 0x36, 0x1d7, 0x3, 0x2, 0x2, 0x2, 0x38, 0x1eb, 0x3, 0x2, 0x2, 
    0x2, 0x3a, 0x1ed, 0x3, 0x2, 0x2, 0x2, 0x3c, 0x1f5, 0x3, 0x2, 0x2, 0x2, 
    0x3e, 0x204, 0x3, 0x2, 0x2, 0x2, 0x40, 0x206, 0x3, 0x2, 0x2, 0x2, 0x42, 
    0x20b, 0x3, 0x2, 0x2, 0x2, 0x44, 0x21c, 0x3, 0x2, 0x2, 0x2, 0x46, 0x21e, 
    0x3, 0x2, 0x2, 0x2, 0x48, 0x234, 0x3, 0x2, 0x2, 0x2, 0x4a, 0x23b, 0x3, 
    0x2, 0x2, 0x2, 0x4c, 0x240, 0x3, 0x2, 0x2, 0x2, 0x4e, 0x249, 0x3, 0x2, 
    0x2, 0x2, 0x50, 0x253, 0x3, 0x2, 0x2, 0x2, 0x52, 0x25d, 0x3, 0x2, 0x2, 
    0x2, 0x54, 0x261, 0x3, 0x2, 0x2, 0x2, 0x56, 0x265, 0x3, 0x2, 0x2, 0x2, 
    0x58, 0x274, 0x3, 0x2, 0x2, 0x2, 0x5a, 0x283, 0x3, 0x2, 0x2, 0x2, 0x5c, 
    0x285, 0x3, 0x2, 0x2, 0x2, 0x5e, 0x28b, 0x3, 0x2, 0x2, 0x2, 0x60, 0x2a5, 
    0x3, 0x2, 0x2, 0x2, 0x62, 0x2a7, 0x3, 0x2, 0x2, 0x2, 0x64, 0x2ac, 0x3, 
    0x2, 0x2, 0x2, 0x66, 0x2b1, 0x3, 0x2, 0x2, 0x2, 0x68, 0x2b6, 0x3, 0x2, 
    0x2, 0x2, 0x6a, 0x2bb, 0x3, 0x2, 0x2, 0x2, 0x6c, 0x2c5, 0x3, 0x2, 0x2, 
    0x2, 0x6e, 0x2c9, 0x3, 0x2, 0x2, 0x2, 0x70, 0x2cc, 0x3, 0x2, 0x2, 0x2, 
    0x72, 0x2d1, 0x3, 0x2, 0x2, 0x2, 0x74, 0x2da, 0x3, 0x2, 0x2, 0x2, 0x76, 
    0x2e3, 0x3, 0x2, 0x2, 0x2, 0x78, 0x2e6, 0x3, 0x2, 0x2, 0x2, 0x7a, 0x2f8, 
    0x3, 0x2, 0x2, 0x2, 0x7c, 0x2fa, 0x3, 0x2, 0x2, 0x2, 0x7e, 0x303, 0x3, 
    0x2, 0x2, 0x2, 0x80, 0x30e, 0x3, 0x2, 0x2, 0x2, 0x82, 0x311, 0x3, 0x2, 
    0x2, 0x2, 0x84, 0x317, 0x3, 0x2, 0x2, 0x2, 0x86, 0x31c, 0x3, 0x2, 0x2, 
    0x2, 0x88, 0x322, 0x3, 0x2, 0x2, 0x2, 0x8a, 0x328, 0x3, 0x2, 0x2, 0x2, 
    0x8c, 0x332, 0x3, 0x2, 0x2, 0x2, 0x8e, 0x33b, 0x3, 0x2, 0x2, 0x2, 0x90, 
    0x33e, 0x3, 0x2, 0x2, 0x2, 0x92, 0x343, 0x3, 0x2, 0x2, 0x2, 0x94, 0x347, 
    0x3, 0x2, 0x2, 0x2, 0x96, 0x351, 0x3, 0x2, 0x2, 0x2, 0x98, 0x35a, 0x3, 
    0x2, 0x2, 0x2, 0x9a, 0x35d, 0x3, 0x2, 0x2, 0x2, 0x9c, 0x362, 0x3, 0x2, 
    0x2, 0x2, 0x9e, 0x367, 0x3, 0x2, 0x2, 0x2, 0xa0, 0x36c, 0x3, 0x2, 0x2, 
    0x2, 0xa2, 0x377, 0x3, 0x2, 0x2, 0x2, 0xa4, 0x383, 0x3, 0x2, 0x2, 0x2, 
    0xa6, 0x38a, 0x3, 0x2, 0x2, 0x2, 0xa8, 0x38e, 0x3, 0x2, 0x2, 0x2, 0xaa, 
    0x39d, 0x3, 0x2, 0x2, 0x2, 0xac, 0x39f, 0x3, 0x2, 0x2, 0x2, 0xae, 0x3a1, 
    0x3, 0x2, 0x2, 0x2, 0xb0, 0x3a5, 0x3, 0x2, 0x2, 0x2, 0xb2, 0x3a7, 0x3, 
    0x2, 0x2, 0x2, 0xb4, 0xb5, 0x7, 0x3, 0x2, 0x2, 0xb5, 0xb9, 0x7, 0x5, 
    0x2, 0x2, 0xb6, 0xb8, 0x5, 0x4, 0x3, 0x2, 0xb7, 0xb6, 0x3, 0x2, 0x2, 
    0x2, 0xb8, 0xbb, 0x3, 0x2, 0x2, 0x2, 0xb9, 0xb7, 0x3, 0x2, 0x2, 0x2, 
    0xb9, 0xba, 0x3, 0x2, 0x2, 0x2, 0xba, 0xbc, 0x3, 0x2, 0x2, 0x2, 0xbb, 
    0xb9, 0x3, 0x2, 0x2, 0x2, 0xbc, 0xbd, 0x7, 0x3, 0x2, 0x2, 0xbd, 0xc1, 
    0x7, 0x6, 0x2, 0x2, 0xbe, 0xc0, 0x5, 0x8, 0x5, 0x2, 0xbf, 0xbe, 0x3, 
    0x2, 0x2, 0x2, 0xc0, 0xc3, 0x3, 0x2, 0x2, 0x2, 0xc1, 0xbf, 0x3, 0x2, 
    0x2, 0x2, 0xc1, 0xc2, 0x3, 0x2, 0x2, 0x2, 0xc2, 0xc4, 0x3, 0x2, 0x2, 
    0x2, 0xc3, 0xc1, 0x3, 0x2, 0x2, 0x2, 0xc4, 0xc5, 0x7, 0x4, 0x2, 0x2, 
    0xc5, 0xc6, 0x7, 0x4, 0x2, 0x2, 0xc6, 0xc7, 0x7, 0x2, 0x2, 0x3, 0xc7, 
    0x3, 0x3, 0x2, 0x2, 0x2, 0xc8, 0xc9, 0x7, 0x64, 0x2, 0x2, 0xc9, 0xf6, 
    0x5, 0x6, 0x4, 0x2, 0xca, 0xcb, 0x7, 0x65, 0x2, 0x2, 0xcb, 0xf6, 0x7, 
    0x93, 0x2, 0x2, 0xcc, 0xcd, 0x7, 0x66, 0x2, 0x2, 0xcd, 0xf6, 0x5, 0xac, 
    0x57, 0x2, 0xce, 0xcf, 0x7, 0x67, 0x2, 0x2, 0xcf, 0xf6, 0x5, 0xac, 0x57, 
    0x2, 0xd0, 0xd1, 0x7, 0x68, 0x2, 0x2, 0xd1, 0xf6, 0x5, 0xac, 0x57, 0x2, 
    0xd2, 0xd3, 0x7, 0x69, 0x2, 0x2, 0xd3, 0xf6, 0x5, 0xb0, 0x59, 0x2, 0xd4, 
    0xd5, 0x7, 0x6a, 0x2, 0x2, 0xd5, 0xf6, 0x5, 0xb0, 0x59, 0x2, 0xd6, 0xd7, 
    0x7, 0x6b, 0x2, 0x2, 0xd7, 0xf6, 0x5, 0xb0, 0x59, 0x2, 0xd8, 0xd9, 0x7, 
    0x6c, 0x2, 0x2, 0xd9, 0xf6, 0x5, 0xb0, 0x59, 0x2, 0xda, 0xdb, 0x7, 0x6d, 
    0x2, 0x2, 0xdb, 0xf6, 0x7, 0x93, 0x2, 0x2, 0xdc, 0xeb, 0x7, 0x6e, 0x2, 
    0x2, 0xdd, 0xec, 0x5, 0xac, 0x57, 0x2, 0xde, 0xe0, 0x5, 0xb2, 0x5a, 
    0x2, 0xdf, 0xde, 0x3, 0x2, 0x2, 0x2, 0xe0, 0xe1, 0x3, 0x2, 0x2, 0x2, 
    0xe1, 0xdf, 0x3, 0x2, 0x2, 0x2, 0xe1, 0xe2, 0x3, 0x2, 0x2, 0x2, 0xe2, 
    0xec, 0x3, 0x2, 0x2, 0x2, 0xe3, 0xe7, 0x7, 0x3, 0x2, 0x2, 0xe4, 0xe6, 
    0x5, 0xb2, 0x5a, 0x2, 0xe5, 0xe4, 0x3, 0x2, 0x2, 0x2, 0xe6, 0xe9, 0x3, 
    0x2, 0x2, 0x2, 0xe7, 0xe5, 0x3, 0x2, 0x2, 0x2, 0xe7, 0xe8, 0x3, 0x2, 
    0x2, 0x2, 0xe8, 0xea, 0x3, 0x2, 0x2, 0x2, 0xe9, 0xe7, 0x3, 0x2, 0x2, 
    0x2, 0xea, 0xec, 0x7, 0x4, 0x2, 0x2, 0xeb, 0xdd, 0x3, 0x2, 0x2, 0x2, 
    0xeb, 0xdf, 0x3, 0x2, 0x2, 0x2, 0xeb, 0xe3, 0x3, 0x2, 0x2, 0x2, 0xec, 
    0xf6, 0x3, 0x2, 0x2, 0x2, 0xed, 0xee, 0x7, 0x6f, 0x2, 0x2, 0xee, 0xf6, 
    0x5, 0xb0, 0x59, 0x2, 0xef, 0xf0, 0x7, 0x70, 0x2, 0x2, 0xf0, 0xf6, 0x5, 
    0xb0, 0x59, 0x2, 0xf1, 0xf2, 0x7, 0x71, 0x2, 0x2, 0xf2, 0xf6, 0x5, 0xb0, 
    0x59, 0x2, 0xf3, 0xf4, 0x7, 0x72, 0x2, 0x2, 0xf4, 0xf6, 0x7, 0x93, 0x2, 
    0x2, 0xf5, 0xc8, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xca, 0x3, 0x2, 0x2, 0x2, 
    0xf5, 0xcc, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xce, 0x3, 0x2, 0x2, 0x2, 0xf5, 
    0xd0, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xd2, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xd4, 
    0x3, 0x2, 0x2, 0x2, 0xf5, 0xd6, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xd8, 0x3, 
    0x2, 0x2, 0x2, 0xf5, 0xda, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xdc, 0x3, 0x2, 
    0x2, 0x2, 0xf5, 0xed, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xef, 0x3, 0x2, 0x2, 
    0x2, 0xf5, 0xf1, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xf3, 0x3, 0x2, 0x2, 0x2, 
    0xf6, 0x5, 0x3, 0x2, 0x2, 0x2, 0xf7, 0xfa, 0x5, 0xb0, 0x59, 0x2, 0xf8, 
    0xfa, 0x7, 0x99, 0x2, 0x2, 0xf9, 0xf7, 0x3, 0x2, 0x2, 0x2, 0xf9, 0xf8, 
    0x3, 0x2, 0x2, 0x2, 0xfa, 0x7, 0x3, 0x2, 0x2, 0x2, 0xfb, 0x11d, 0x7, 
    0x3, 0x2, 0x2, 0xfc, 0xfe, 0x7, 0x7, 0x2, 0x2, 0xfd, 0xff, 0x5, 0xa, 
    0x6, 0x2, 0xfe, 0xfd, 0x3, 0x2, 0x2, 0x2, 0xfe, 0xff, 0x3, 0x2, 0x2, 
    0x2, 0xff, 0x101, 0x3, 0x2, 0x2, 0x2, 0x100, 0x102, 0x7, 0x64, 0x2, 
    0x2, 0x101, 0x100, 0x3, 0x2, 0x2, 0x2, 0x101, 0x102, 0x3, 0x2, 0x2, 
    0x2, 0x102, 0x103, 0x3, 0x2, 0x2, 0x2, 0x103, 0x105, 0x5, 0xb0, 0x59, 
    0x2, 0x104, 0x106, 0x5, 0xa, 0x6, 0x2, 0x105, 0x104, 0x3, 0x2, 0x2, 
    0x2, 0x105, 0x106, 0x3, 0x2, 0x2, 0x2, 0x106, 0x107, 0x3, 0x2, 0x2, 
    0x2, 0x107, 0x108, 0x5, 0x16, 0xc, 0x2, 0x108, 0x109, 0x5, 0xc, 0x7, 
    0x2, 0x109, 0x10a, 0x5, 0x14, 0xb, 0x2, 0x10a, 0x10b, 0x5, 0x10, 0x9, 
    0x2, 0x10b, 0x11e, 0x3, 0x2, 0x2, 0x2, 0x10c, 0x10e, 0x7, 0x8, 0x2, 
    0x2, 0x10d, 0x10f, 0x5, 0xa, 0x6, 0x2, 0x10e, 0x10d, 0x3, 0x2, 0x2, 
    0x2, 0x10e, 0x10f, 0x3, 0x2, 0x2, 0x2, 0x10f, 0x111, 0x3, 0x2, 0x2, 
    0x2, 0x110, 0x112, 0x7, 0x64, 0x2, 0x2, 0x111, 0x110, 0x3, 0x2, 0x2, 
    0x2, 0x111, 0x112, 0x3, 0x2, 0x2, 0x2, 0x112, 0x113, 0x3, 0x2, 0x2, 
    0x2, 0x113, 0x115, 0x5, 0xb0, 0x59, 0x2, 0x114, 0x116, 0x5, 0xa, 0x6, 
    0x2, 0x115, 0x114, 0x3, 0x2, 0x2, 0x2, 0x115, 0x116, 0x3, 0x2, 0x2, 
    0x2, 0x116, 0x119, 0x3, 0x2, 0x2, 0x2, 0x117, 0x118, 0x7, 0x8c, 0x2, 
    0x2, 0x118, 0x11a, 0x5, 0xac, 0x57, 0x2, 0x119, 0x117, 0x3, 0x2, 0x2, 
    0x2, 0x119, 0x11a, 0x3, 0x2, 0x2, 0x2, 0x11a, 0x11b, 0x3, 0x2, 0x2, 
    0x2, 0x11b, 0x11c, 0x5, 0x16, 0xc, 0x2, 0x11c, 0x11e, 0x3, 0x2, 0x2, 
    0x2, 0x11d, 0xfc, 0x3, 0x2, 0x2, 0x2, 0x11d, 0x10c, 0x3, 0x2, 0x2, 0x2, 
    0x11e, 0x11f, 0x3, 0x2, 0x2, 0x2, 0x11f, 0x120, 0x7, 0x4, 0x2, 0x2, 
    0x120, 0x9, 0x3, 0x2, 0x2, 0x2, 0x121, 0x122, 0x7, 0x73, 0x2, 0x2, 0x122, 
    0x123, 0x5, 0xb0, 0x59, 0x2, 0x123, 0xb, 0x3, 0x2, 0x2, 0x2, 0x124, 
    0x125, 0x7, 0x3, 0x2, 0x2, 0x125, 0x129, 0x7, 0x9, 0x2, 0x2, 0x126, 
    0x128, 0x5, 0xe, 0x8, 0x2, 0x127, 0x126, 0x3, 0x2, 0x2, 0x2, 0x128, 
    0x12b, 0x3, 0x2, 0x2, 0x2, 0x129, 0x127, 0x3, 0x2, 0x2, 0x2, 0x129, 
    0x12a, 0x3, 0x2, 0x2, 0x2, 0x12a, 0x12c, 0x3, 0x2, 0x2, 0x2, 0x12b, 
    0x129, 0x3, 0x2, 0x2, 0x2, 0x12c, 0x12d, 0x7, 0x4, 0x2, 0x2, 0x12d, 
    0xd, 0x3, 0x2, 0x2, 0x2, 0x12e, 0x12f, 0x7, 0x3, 0x2, 0x2, 0x12f, 0x130, 
    0x7, 0xa, 0x2, 0x2, 0x130, 0x131, 0x7, 0x74, 0x2, 0x2, 0x131, 0x132, 
    0x7, 0x93, 0x2, 0x2, 0x132, 0x135, 0x7, 0x4, 0x2, 0x2, 0x133, 0x135, 
    0x7, 0x93, 0x2, 0x2, 0x134, 0x12e, 0x3, 0x2, 0x2, 0x2, 0x134, 0x133, 
    0x3, 0x2, 0x2, 0x2, 0x135, 0xf, 0x3, 0x2, 0x2, 0x2, 0x136, 0x137, 0x7, 
    0x3, 0x2, 0x2, 0x137, 0x13b, 0x7, 0xb, 0x2, 0x2, 0x138, 0x13a, 0x5, 
    0x12, 0xa, 0x2, 0x139, 0x138, 0x3, 0x2, 0x2, 0x2, 0x13a, 0x13d, 0x3, 
    0x2, 0x2, 0x2, 0x13b, 0x139, 0x3, 0x2, 0x2, 0x2, 0x13b, 0x13c, 0x3, 
    0x2, 0x2, 0x2, 0x13c, 0x13e, 0x3, 0x2, 0x2, 0x2, 0x13d, 0x13b, 0x3, 
    0x2, 0x2, 0x2, 0x13e, 0x13f, 0x7, 0x4, 0x2, 0x2, 0x13f, 0x11, 0x3, 0x2, 
    0x2, 0x2, 0x140, 0x141, 0x7, 0x3, 0x2, 0x2, 0x141, 0x142, 0x7, 0xc, 
    0x2, 0x2, 0x142, 0x143, 0x7, 0x74, 0x2, 0x2, 0x143, 0x144, 0x7, 0x93, 
    0x2, 0x2, 0x144, 0x145, 0x7, 0x64, 0x2, 0x2, 0x145, 0x146, 0x5, 0xb0, 
    0x59, 0x2, 0x146, 0x147, 0x5, 0x16, 0xc, 0x2, 0x147, 0x148, 0x7, 0x4, 
    0x2, 0x2, 0x148, 0x13, 0x3, 0x2, 0x2, 0x2, 0x149, 0x14a, 0x7, 0x3, 0x2, 
    0x2, 0x14a, 0x14e, 0x7, 0xd, 0x2, 0x2, 0x14b, 0x14d, 0x5, 0x2c, 0x17, 
    0x2, 0x14c, 0x14b, 0x3, 0x2, 0x2, 0x2, 0x14d, 0x150, 0x3, 0x2, 0x2, 
    0x2, 0x14e, 0x14c, 0x3, 0x2, 0x2, 0x2, 0x14e, 0x14f, 0x3, 0x2, 0x2, 
    0x2, 0x14f, 0x151, 0x3, 0x2, 0x2, 0x2, 0x150, 0x14e, 0x3, 0x2, 0x2, 
    0x2, 0x151, 0x152, 0x7, 0x4, 0x2, 0x2, 0x152, 0x15, 0x3, 0x2, 0x2, 0x2, 
    0x153, 0x159, 0x7, 0xe, 0x2, 0x2, 0x154, 0x155, 0x7, 0x3, 0x2, 0x2, 
    0x155, 0x156, 0x5, 0x18, 0xd, 0x2, 0x156, 0x157, 0x7, 0x4, 0x2, 0x2, 
    0x157, 0x159, 0x3, 0x2, 0x2, 0x2, 0x158, 0x153, 0x3, 0x2, 0x2, 0x2, 
    0x158, 0x154, 0x3, 0x2, 0x2, 0x2, 0x159, 0x17, 0x3, 0x2, 0x2, 0x2, 0x15a, 
    0x162, 0x5, 0x1a, 0xe, 0x2, 0x15b, 0x162, 0x5, 0x1c, 0xf, 0x2, 0x15c, 
    0x162, 0x5, 0x20, 0x11, 0x2, 0x15d, 0x162, 0x5, 0x22, 0x12, 0x2, 0x15e, 
    0x162, 0x5, 0x24, 0x13, 0x2, 0x15f, 0x162, 0x5, 0x28, 0x15, 0x2, 0x160, 
    0x162, 0x5, 0x2a, 0x16, 0x2, 0x161, 0x15a, 0x3, 0x2, 0x2, 0x2, 0x161, 
    0x15b, 0x3, 0x2, 0x2, 0x2, 0x161, 0x15c, 0x3, 0x2, 0x2, 0x2, 0x161, 
    0x15d, 0x3, 0x2, 0x2, 0x2, 0x161, 0x15e, 0x3, 0x2, 0x2, 0x2, 0x161, 
    0x15f, 0x3, 0x2, 0x2, 0x2, 0x161, 0x160, 0x3, 0x2, 0x2, 0x2, 0x162, 
    0x19, 0x3, 0x2, 0x2, 0x2, 0x163, 0x166, 0x9, 0x2, 0x2, 0x2, 0x164, 0x165, 
    0x7, 0x75, 0x2, 0x2, 0x165, 0x167, 0x7, 0x93, 0x2, 0x2, 0x166, 0x164, 
    0x3, 0x2, 0x2, 0x2, 0x166, 0x167, 0x3, 0x2, 0x2, 0x2, 0x167, 0x1b, 0x3, 
    0x2, 0x2, 0x2, 0x168, 0x16c, 0x7, 0x1e, 0x2, 0x2, 0x169, 0x16b, 0x5, 
    0x1e, 0x10, 0x2, 0x16a, 0x169, 0x3, 0x2, 0x2, 0x2, 0x16b, 0x16e, 0x3, 
    0x2, 0x2, 0x2, 0x16c, 0x16a, 0x3, 0x2, 0x2, 0x2, 0x16c, 0x16d, 0x3, 
    0x2, 0x2, 0x2, 0x16d, 0x16f, 0x3, 0x2, 0x2, 0x2, 0x16e, 0x16c, 0x3, 
    0x2, 0x2, 0x2, 0x16f, 0x170, 0x5, 0x16, 0xc, 0x2, 0x170, 0x1d, 0x3, 
    0x2, 0x2, 0x2, 0x171, 0x172, 0x7, 0x76, 0x2, 0x2, 0x172, 0x176, 0x5, 
    0xb0, 0x59, 0x2, 0x173, 0x174, 0x7, 0x77, 0x2, 0x2, 0x174, 0x176, 0x7, 
    0x93, 0x2, 0x2, 0x175, 0x171, 0x3, 0x2, 0x2, 0x2, 0x175, 0x173, 0x3, 
    0x2, 0x2, 0x2, 0x176, 0x1f, 0x3, 0x2, 0x2, 0x2, 0x177, 0x17b, 0x7, 0x1f, 
    0x2, 0x2, 0x178, 0x17a, 0x5, 0x16, 0xc, 0x2, 0x179, 0x178, 0x3, 0x2, 
    0x2, 0x2, 0x17a, 0x17d, 0x3, 0x2, 0x2, 0x2, 0x17b, 0x179, 0x3, 0x2, 
    0x2, 0x2, 0x17b, 0x17c, 0x3, 0x2, 0x2, 0x2, 0x17c, 0x21, 0x3, 0x2, 0x2, 
    0x2, 0x17d, 0x17b, 0x3, 0x2, 0x2, 0x2, 0x17e, 0x181, 0x7, 0x20, 0x2, 
    0x2, 0x17f, 0x180, 0x7, 0x77, 0x2, 0x2, 0x180, 0x182, 0x7, 0x93, 0x2, 
    0x2, 0x181, 0x17f, 0x3, 0x2, 0x2, 0x2, 0x181, 0x182, 0x3, 0x2, 0x2, 
    0x2, 0x182, 0x184, 0x3, 0x2, 0x2, 0x2, 0x183, 0x185, 0x5, 0x16, 0xc, 
    0x2, 0x184, 0x183, 0x3, 0x2, 0x2, 0x2, 0x185, 0x186, 0x3, 0x2, 0x2, 
    0x2, 0x186, 0x184, 0x3, 0x2, 0x2, 0x2, 0x186, 0x187, 0x3, 0x2, 0x2, 
    0x2, 0x187, 0x23, 0x3, 0x2, 0x2, 0x2, 0x188, 0x18c, 0x7, 0x21, 0x2, 
    0x2, 0x189, 0x18b, 0x5, 0x26, 0x14, 0x2, 0x18a, 0x189, 0x3, 0x2, 0x2, 
    0x2, 0x18b, 0x18e, 0x3, 0x2, 0x2, 0x2, 0x18c, 0x18a, 0x3, 0x2, 0x2, 
    0x2, 0x18c, 0x18d, 0x3, 0x2, 0x2, 0x2, 0x18d, 0x25, 0x3, 0x2, 0x2, 0x2, 
    0x18e, 0x18c, 0x3, 0x2, 0x2, 0x2, 0x18f, 0x19f, 0x7, 0x3, 0x2, 0x2, 
    0x190, 0x194, 0x7, 0x22, 0x2, 0x2, 0x191, 0x193, 0x5, 0x16, 0xc, 0x2, 
    0x192, 0x191, 0x3, 0x2, 0x2, 0x2, 0x193, 0x196, 0x3, 0x2, 0x2, 0x2, 
    0x194, 0x192, 0x3, 0x2, 0x2, 0x2, 0x194, 0x195, 0x3, 0x2, 0x2, 0x2, 
    0x195, 0x1a0, 0x3, 0x2, 0x2, 0x2, 0x196, 0x194, 0x3, 0x2, 0x2, 0x2, 
    0x197, 0x19b, 0x7, 0x23, 0x2, 0x2, 0x198, 0x19a, 0x5, 0x16, 0xc, 0x2, 
    0x199, 0x198, 0x3, 0x2, 0x2, 0x2, 0x19a, 0x19d, 0x3, 0x2, 0x2, 0x2, 
    0x19b, 0x199, 0x3, 0x2, 0x2, 0x2, 0x19b, 0x19c, 0x3, 0x2, 0x2, 0x2, 
    0x19c, 0x1a0, 0x3, 0x2, 0x2, 0x2, 0x19d, 0x19b, 0x3, 0x2, 0x2, 0x2, 
    0x19e, 0x1a0, 0x5, 0x18, 0xd, 0x2, 0x19f, 0x190, 0x3, 0x2, 0x2, 0x2, 
    0x19f, 0x197, 0x3, 0x2, 0x2, 0x2, 0x19f, 0x19e, 0x3, 0x2, 0x2, 0x2, 
    0x1a0, 0x1a1, 0x3, 0x2, 0x2, 0x2, 0x1a1, 0x1a2, 0x7, 0x4, 0x2, 0x2, 
    0x1a2, 0x27, 0x3, 0x2, 0x2, 0x2, 0x1a3, 0x1a8, 0x7, 0xe, 0x2, 0x2, 0x1a4, 
    0x1a5, 0x7, 0xf, 0x2, 0x2, 0x1a5, 0x1a6, 0x7, 0x64, 0x2, 0x2, 0x1a6, 
    0x1a8, 0x7, 0xe, 0x2, 0x2, 0x1a7, 0x1a3, 0x3, 0x2, 0x2, 0x2, 0x1a7, 
    0x1a4, 0x3, 0x2, 0x2, 0x2, 0x1a8, 0x29, 0x3, 0x2, 0x2, 0x2, 0x1a9, 0x1ac, 
    0x7, 0x10, 0x2, 0x2, 0x1aa, 0x1ab, 0x7, 0x75, 0x2, 0x2, 0x1ab, 0x1ad, 
    0x7, 0x93, 0x2, 0x2, 0x1ac, 0x1aa, 0x3, 0x2, 0x2, 0x2, 0x1ac, 0x1ad, 
    0x3, 0x2, 0x2, 0x2, 0x1ad, 0x2b, 0x3, 0x2, 0x2, 0x2, 0x1ae, 0x1af, 0x7, 
    0x3, 0x2, 0x2, 0x1af, 0x1b0, 0x5, 0x2e, 0x18, 0x2, 0x1b0, 0x1b1, 0x7, 
    0x4, 0x2, 0x2, 0x1b1, 0x2d, 0x3, 0x2, 0x2, 0x2, 0x1b2, 0x1be, 0x5, 0x30, 
    0x19, 0x2, 0x1b3, 0x1be, 0x5, 0x36, 0x1c, 0x2, 0x1b4, 0x1be, 0x5, 0x3a, 
    0x1e, 0x2, 0x1b5, 0x1be, 0x5, 0x42, 0x22, 0x2, 0x1b6, 0x1be, 0x5, 0x48, 
    0x25, 0x2, 0x1b7, 0x1be, 0x5, 0x4c, 0x27, 0x2, 0x1b8, 0x1be, 0x5, 0x52, 
    0x2a, 0x2, 0x1b9, 0x1be, 0x5, 0x54, 0x2b, 0x2, 0x1ba, 0x1be, 0x5, 0x56, 
    0x2c, 0x2, 0x1bb, 0x1be, 0x5, 0x58, 0x2d, 0x2, 0x1bc, 0x1be, 0x5, 0x5c, 
    0x2f, 0x2, 0x1bd, 0x1b2, 0x3, 0x2, 0x2, 0x2, 0x1bd, 0x1b3, 0x3, 0x2, 
    0x2, 0x2, 0x1bd, 0x1b4, 0x3, 0x2, 0x2, 0x2, 0x1bd, 0x1b5, 0x3, 0x2, 
    0x2, 0x2, 0x1bd, 0x1b6, 0x3, 0x2, 0x2, 0x2, 0x1bd, 0x1b7, 0x3, 0x2, 
    0x2, 0x2, 0x1bd, 0x1b8, 0x3, 0x2, 0x2, 0x2, 0x1bd, 0x1b9, 0x3, 0x2, 
    0x2, 0x2, 0x1bd, 0x1ba, 0x3, 0x2, 0x2, 0x2, 0x1bd, 0x1bb, 0x3, 0x2, 
    0x2, 0x2, 0x1bd, 0x1bc, 0x3, 0x2, 0x2, 0x2, 0x1be, 0x2f, 0x3, 0x2, 0x2, 
    0x2, 0x1bf, 0x1c1, 0x7, 0x24, 0x2, 0x2, 0x1c0, 0x1c2, 0x5, 0xa, 0x6, 
    0x2, 0x1c1, 0x1c0, 0x3, 0x2, 0x2, 0x2, 0x1c1, 0x1c2, 0x3, 0x2, 0x2, 
    0x2, 0x1c2, 0x1c3, 0x3, 0x2, 0x2, 0x2, 0x1c3, 0x1c4, 0x5, 0x32, 0x1a, 
    0x2, 0x1c4, 0x1c5, 0x5, 0x34, 0x1b, 0x2, 0x1c5, 0x31, 0x3, 0x2, 0x2, 
    0x2, 0x1c6, 0x1c7, 0x7, 0x3, 0x2, 0x2, 0x1c7, 0x1cb, 0x7, 0x2f, 0x2, 
    0x2, 0x1c8, 0x1ca, 0x5, 0x5e, 0x30, 0x2, 0x1c9, 0x1c8, 0x3, 0x2, 0x2, 
    0x2, 0x1ca, 0x1cd, 0x3, 0x2, 0x2, 0x2, 0x1cb, 0x1c9, 0x3, 0x2, 0x2, 
    0x2, 0x1cb, 0x1cc, 0x3, 0x2, 0x2, 0x2, 0x1cc, 0x1ce, 0x3, 0x2, 0x2, 
    0x2, 0x1cd, 0x1cb, 0x3, 0x2, 0x2, 0x2, 0x1ce, 0x1cf, 0x7, 0x4, 0x2, 
    0x2, 0x1cf, 0x33, 0x3, 0x2, 0x2, 0x2, 0x1d0, 0x1d1, 0x7, 0x3, 0x2, 0x2, 
    0x1d1, 0x1d3, 0x7, 0x30, 0x2, 0x2, 0x1d2, 0x1d4, 0x5, 0x5e, 0x30, 0x2, 
    0x1d3, 0x1d2, 0x3, 0x2, 0x2, 0x2, 0x1d3, 0x1d4, 0x3, 0x2, 0x2, 0x2, 
    0x1d4, 0x1d5, 0x3, 0x2, 0x2, 0x2, 0x1d5, 0x1d6, 0x7, 0x4, 0x2, 0x2, 
    0x1d6, 0x35, 0x3, 0x2, 0x2, 0x2, 0x1d7, 0x1db, 0x7, 0x25, 0x2, 0x2, 
    0x1d8, 0x1da, 0x5, 0x38, 0x1d, 0x2, 0x1d9, 0x1d8, 0x3, 0x2, 0x2, 0x2, 
    0x1da, 0x1dd, 0x3, 0x2, 0x2, 0x2, 0x1db, 0x1d9, 0x3, 0x2, 0x2, 0x2, 
    0x1db, 0x1dc, 0x3, 0x2, 0x2, 0x2, 0x1dc, 0x1de, 0x3, 0x2, 0x2, 0x2, 
    0x1dd, 0x1db, 0x3, 0x2, 0x2, 0x2, 0x1de, 0x1df, 0x7, 0x3, 0x2, 0x2, 
    0x1df, 0x1e3, 0x7, 0x31, 0x2, 0x2, 0x1e0, 0x1e2, 0x5, 0x2c, 0x17, 0x2, 
    0x1e1, 0x1e0, 0x3, 0x2, 0x2, 0x2, 0x1e2, 0x1e5, 0x3, 0x2, 0x2, 0x2, 
    0x1e3, 0x1e1, 0x3, 0x2, 0x2, 0x2, 0x1e3, 0x1e4, 0x3, 0x2, 0x2, 0x2, 
    0x1e4, 0x1e6, 0x3, 0x2, 0x2, 0x2, 0x1e5, 0x1e3, 0x3, 0x2, 0x2, 0x2, 
    0x1e6, 0x1e7, 0x7, 0x4, 0x2, 0x2, 0x1e7, 0x37, 0x3, 0x2, 0x2, 0x2, 0x1e8, 
    0x1e9, 0x7, 0x78, 0x2, 0x2, 0x1e9, 0x1ec, 0x5, 0xac, 0x57, 0x2, 0x1ea, 
    0x1ec, 0x5, 0xa, 0x6, 0x2, 0x1eb, 0x1e8, 0x3, 0x2, 0x2, 0x2, 0x1eb, 
    0x1ea, 0x3, 0x2, 0x2, 0x2, 0x1ec, 0x39, 0x3, 0x2, 0x2, 0x2, 0x1ed, 0x1ef, 
    0x7, 0x26, 0x2, 0x2, 0x1ee, 0x1f0, 0x5, 0xa, 0x6, 0x2, 0x1ef, 0x1ee, 
    0x3, 0x2, 0x2, 0x2, 0x1ef, 0x1f0, 0x3, 0x2, 0x2, 0x2, 0x1f0, 0x1f1, 
    0x3, 0x2, 0x2, 0x2, 0x1f1, 0x1f2, 0x5, 0x3c, 0x1f, 0x2, 0x1f2, 0x1f3, 
    0x5, 0x40, 0x21, 0x2, 0x1f3, 0x1f4, 0x5, 0x14, 0xb, 0x2, 0x1f4, 0x3b, 
    0x3, 0x2, 0x2, 0x2, 0x1f5, 0x1f6, 0x7, 0x3, 0x2, 0x2, 0x1f6, 0x1f8, 
    0x7, 0x32, 0x2, 0x2, 0x1f7, 0x1f9, 0x5, 0x3e, 0x20, 0x2, 0x1f8, 0x1f7, 
    0x3, 0x2, 0x2, 0x2, 0x1f9, 0x1fa, 0x3, 0x2, 0x2, 0x2, 0x1fa, 0x1f8, 
    0x3, 0x2, 0x2, 0x2, 0x1fa, 0x1fb, 0x3, 0x2, 0x2, 0x2, 0x1fb, 0x1fc, 
    0x3, 0x2, 0x2, 0x2, 0x1fc, 0x1fd, 0x7, 0x4, 0x2, 0x2, 0x1fd, 0x3d, 0x3, 
    0x2, 0x2, 0x2, 0x1fe, 0x205, 0x7, 0x93, 0x2, 0x2, 0x1ff, 0x200, 0x7, 
    0x3, 0x2, 0x2, 0x200, 0x201, 0x7, 0xc, 0x2, 0x2, 0x201, 0x202, 0x7, 
    0x74, 0x2, 0x2, 0x202, 0x203, 0x7, 0x93, 0x2, 0x2, 0x203, 0x205, 0x7, 
    0x4, 0x2, 0x2, 0x204, 0x1fe, 0x3, 0x2, 0x2, 0x2, 0x204, 0x1ff, 0x3, 
    0x2, 0x2, 0x2, 0x205, 0x3f, 0x3, 0x2, 0x2, 0x2, 0x206, 0x207, 0x7, 0x3, 
    0x2, 0x2, 0x207, 0x208, 0x7, 0x33, 0x2, 0x2, 0x208, 0x209, 0x5, 0x5e, 
    0x30, 0x2, 0x209, 0x20a, 0x7, 0x4, 0x2, 0x2, 0x20a, 0x41, 0x3, 0x2, 
    0x2, 0x2, 0x20b, 0x20f, 0x7, 0x27, 0x2, 0x2, 0x20c, 0x20e, 0x5, 0x44, 
    0x23, 0x2, 0x20d, 0x20c, 0x3, 0x2, 0x2, 0x2, 0x20e, 0x211, 0x3, 0x2, 
    0x2, 0x2, 0x20f, 0x20d, 0x3, 0x2, 0x2, 0x2, 0x20f, 0x210, 0x3, 0x2, 
    0x2, 0x2, 0x210, 0x212, 0x3, 0x2, 0x2, 0x2, 0x211, 0x20f, 0x3, 0x2, 
    0x2, 0x2, 0x212, 0x213, 0x5, 0x3c, 0x1f, 0x2, 0x213, 0x215, 0x5, 0x40, 
    0x21, 0x2, 0x214, 0x216, 0x5, 0x46, 0x24, 0x2, 0x215, 0x214, 0x3, 0x2, 
    0x2, 0x2, 0x216, 0x217, 0x3, 0x2, 0x2, 0x2, 0x217, 0x215, 0x3, 0x2, 
    0x2, 0x2, 0x217, 0x218, 0x3, 0x2, 0x2, 0x2, 0x218, 0x43, 0x3, 0x2, 0x2, 
    0x2, 0x219, 0x21a, 0x7, 0x79, 0x2, 0x2, 0x21a, 0x21d, 0x7, 0x35, 0x2, 
    0x2, 0x21b, 0x21d, 0x5, 0xa, 0x6, 0x2, 0x21c, 0x219, 0x3, 0x2, 0x2, 
    0x2, 0x21c, 0x21b, 0x3, 0x2, 0x2, 0x2, 0x21d, 0x45, 0x3, 0x2, 0x2, 0x2, 
    0x21e, 0x230, 0x7, 0x3, 0x2, 0x2, 0x21f, 0x227, 0x7, 0x34, 0x2, 0x2, 
    0x220, 0x228, 0x7, 0x35, 0x2, 0x2, 0x221, 0x223, 0x5, 0x3e, 0x20, 0x2, 
    0x222, 0x221, 0x3, 0x2, 0x2, 0x2, 0x223, 0x226, 0x3, 0x2, 0x2, 0x2, 
    0x224, 0x222, 0x3, 0x2, 0x2, 0x2, 0x224, 0x225, 0x3, 0x2, 0x2, 0x2, 
    0x225, 0x228, 0x3, 0x2, 0x2, 0x2, 0x226, 0x224, 0x3, 0x2, 0x2, 0x2, 
    0x227, 0x220, 0x3, 0x2, 0x2, 0x2, 0x227, 0x224, 0x3, 0x2, 0x2, 0x2, 
    0x228, 0x231, 0x3, 0x2, 0x2, 0x2, 0x229, 0x22d, 0x7, 0xd, 0x2, 0x2, 
    0x22a, 0x22c, 0x5, 0x2c, 0x17, 0x2, 0x22b, 0x22a, 0x3, 0x2, 0x2, 0x2, 
    0x22c, 0x22f, 0x3, 0x2, 0x2, 0x2, 0x22d, 0x22b, 0x3, 0x2, 0x2, 0x2, 
    0x22d, 0x22e, 0x3, 0x2, 0x2, 0x2, 0x22e, 0x231, 0x3, 0x2, 0x2, 0x2, 
    0x22f, 0x22d, 0x3, 0x2, 0x2, 0x2, 0x230, 0x21f, 0x3, 0x2, 0x2, 0x2, 
    0x230, 0x229, 0x3, 0x2, 0x2, 0x2, 0x231, 0x232, 0x3, 0x2, 0x2, 0x2, 
    0x232, 0x233, 0x7, 0x4, 0x2, 0x2, 0x233, 0x47, 0x3, 0x2, 0x2, 0x2, 0x234, 
    0x236, 0x7, 0x28, 0x2, 0x2, 0x235, 0x237, 0x5, 0xa, 0x6, 0x2, 0x236, 
    0x235, 0x3, 0x2, 0x2, 0x2, 0x236, 0x237, 0x3, 0x2, 0x2, 0x2, 0x237, 
    0x238, 0x3, 0x2, 0x2, 0x2, 0x238, 0x239, 0x5, 0x4a, 0x26, 0x2, 0x239, 
    0x23a, 0x5, 0x14, 0xb, 0x2, 0x23a, 0x49, 0x3, 0x2, 0x2, 0x2, 0x23b, 
    0x23c, 0x7, 0x3, 0x2, 0x2, 0x23c, 0x23d, 0x7, 0x36, 0x2, 0x2, 0x23d, 
    0x23e, 0x5, 0x5e, 0x30, 0x2, 0x23e, 0x23f, 0x7, 0x4, 0x2, 0x2, 0x23f, 
    0x4b, 0x3, 0x2, 0x2, 0x2, 0x240, 0x242, 0x7, 0x29, 0x2, 0x2, 0x241, 
    0x243, 0x5, 0xa, 0x6, 0x2, 0x242, 0x241, 0x3, 0x2, 0x2, 0x2, 0x242, 
    0x243, 0x3, 0x2, 0x2, 0x2, 0x243, 0x244, 0x3, 0x2, 0x2, 0x2, 0x244, 
    0x245, 0x5, 0x4a, 0x26, 0x2, 0x245, 0x247, 0x5, 0x4e, 0x28, 0x2, 0x246, 
    0x248, 0x5, 0x50, 0x29, 0x2, 0x247, 0x246, 0x3, 0x2, 0x2, 0x2, 0x247, 
    0x248, 0x3, 0x2, 0x2, 0x2, 0x248, 0x4d, 0x3, 0x2, 0x2, 0x2, 0x249, 0x24a, 
    0x7, 0x3, 0x2, 0x2, 0x24a, 0x24e, 0x7, 0x37, 0x2, 0x2, 0x24b, 0x24d, 
    0x5, 0x2c, 0x17, 0x2, 0x24c, 0x24b, 0x3, 0x2, 0x2, 0x2, 0x24d, 0x250, 
    0x3, 0x2, 0x2, 0x2, 0x24e, 0x24c, 0x3, 0x2, 0x2, 0x2, 0x24e, 0x24f, 
    0x3, 0x2, 0x2, 0x2, 0x24f, 0x251, 0x3, 0x2, 0x2, 0x2, 0x250, 0x24e, 
    0x3, 0x2, 0x2, 0x2, 0x251, 0x252, 0x7, 0x4, 0x2, 0x2, 0x252, 0x4f, 0x3, 
    0x2, 0x2, 0x2, 0x253, 0x254, 0x7, 0x3, 0x2, 0x2, 0x254, 0x258, 0x7, 
    0x38, 0x2, 0x2, 0x255, 0x257, 0x5, 0x2c, 0x17, 0x2, 0x256, 0x255, 0x3, 
    0x2, 0x2, 0x2, 0x257, 0x25a, 0x3, 0x2, 0x2, 0x2, 0x258, 0x256, 0x3, 
    0x2, 0x2, 0x2, 0x258, 0x259, 0x3, 0x2, 0x2, 0x2, 0x259, 0x25b, 0x3, 
    0x2, 0x2, 0x2, 0x25a, 0x258, 0x3, 0x2, 0x2, 0x2, 0x25b, 0x25c, 0x7, 
    0x4, 0x2, 0x2, 0x25c, 0x51, 0x3, 0x2, 0x2, 0x2, 0x25d, 0x25f, 0x7, 0x2a, 
    0x2, 0x2, 0x25e, 0x260, 0x5, 0xa, 0x6, 0x2, 0x25f, 0x25e, 0x3, 0x2, 
    0x2, 0x2, 0x25f, 0x260, 0x3, 0x2, 0x2, 0x2, 0x260, 0x53, 0x3, 0x2, 0x2, 
    0x2, 0x261, 0x263, 0x7, 0x2b, 0x2, 0x2, 0x262, 0x264, 0x5, 0xa, 0x6, 
    0x2, 0x263, 0x262, 0x3, 0x2, 0x2, 0x2, 0x263, 0x264, 0x3, 0x2, 0x2, 
    0x2, 0x264, 0x55, 0x3, 0x2, 0x2, 0x2, 0x265, 0x267, 0x7, 0x2c, 0x2, 
    0x2, 0x266, 0x268, 0x5, 0xa, 0x6, 0x2, 0x267, 0x266, 0x3, 0x2, 0x2, 
    0x2, 0x267, 0x268, 0x3, 0x2, 0x2, 0x2, 0x268, 0x272, 0x3, 0x2, 0x2, 
    0x2, 0x269, 0x26a, 0x7, 0x3, 0x2, 0x2, 0x26a, 0x26e, 0x7, 0x39, 0x2, 
    0x2, 0x26b, 0x26d, 0x5, 0x5e, 0x30, 0x2, 0x26c, 0x26b, 0x3, 0x2, 0x2, 
    0x2, 0x26d, 0x270, 0x3, 0x2, 0x2, 0x2, 0x26e, 0x26c, 0x3, 0x2, 0x2, 
    0x2, 0x26e, 0x26f, 0x3, 0x2, 0x2, 0x2, 0x26f, 0x271, 0x3, 0x2, 0x2, 
    0x2, 0x270, 0x26e, 0x3, 0x2, 0x2, 0x2, 0x271, 0x273, 0x7, 0x4, 0x2, 
    0x2, 0x272, 0x269, 0x3, 0x2, 0x2, 0x2, 0x272, 0x273, 0x3, 0x2, 0x2, 
    0x2, 0x273, 0x57, 0x3, 0x2, 0x2, 0x2, 0x274, 0x278, 0x7, 0x2d, 0x2, 
    0x2, 0x275, 0x277, 0x5, 0x5a, 0x2e, 0x2, 0x276, 0x275, 0x3, 0x2, 0x2, 
    0x2, 0x277, 0x27a, 0x3, 0x2, 0x2, 0x2, 0x278, 0x276, 0x3, 0x2, 0x2, 
    0x2, 0x278, 0x279, 0x3, 0x2, 0x2, 0x2, 0x279, 0x27c, 0x3, 0x2, 0x2, 
    0x2, 0x27a, 0x278, 0x3, 0x2, 0x2, 0x2, 0x27b, 0x27d, 0x5, 0x8a, 0x46, 
    0x2, 0x27c, 0x27b, 0x3, 0x2, 0x2, 0x2, 0x27c, 0x27d, 0x3, 0x2, 0x2, 
    0x2, 0x27d, 0x59, 0x3, 0x2, 0x2, 0x2, 0x27e, 0x27f, 0x7, 0x8d, 0x2, 
    0x2, 0x27f, 0x284, 0x7, 0x93, 0x2, 0x2, 0x280, 0x281, 0x7, 0x8e, 0x2, 
    0x2, 0x281, 0x284, 0x5, 0xb0, 0x59, 0x2, 0x282, 0x284, 0x5, 0xa, 0x6, 
    0x2, 0x283, 0x27e, 0x3, 0x2, 0x2, 0x2, 0x283, 0x280, 0x3, 0x2, 0x2, 
    0x2, 0x283, 0x282, 0x3, 0x2, 0x2, 0x2, 0x284, 0x5b, 0x3, 0x2, 0x2, 0x2, 
    0x285, 0x287, 0x7, 0x2e, 0x2, 0x2, 0x286, 0x288, 0x5, 0xa, 0x6, 0x2, 
    0x287, 0x286, 0x3, 0x2, 0x2, 0x2, 0x287, 0x288, 0x3, 0x2, 0x2, 0x2, 
    0x288, 0x289, 0x3, 0x2, 0x2, 0x2, 0x289, 0x28a, 0x5, 0x5e, 0x30, 0x2, 
    0x28a, 0x5d, 0x3, 0x2, 0x2, 0x2, 0x28b, 0x28c, 0x7, 0x3, 0x2, 0x2, 0x28c, 
    0x28d, 0x5, 0x60, 0x31, 0x2, 0x28d, 0x28e, 0x7, 0x4, 0x2, 0x2, 0x28e, 
    0x5f, 0x3, 0x2, 0x2, 0x2, 0x28f, 0x2a6, 0x5, 0x62, 0x32, 0x2, 0x290, 
    0x2a6, 0x5, 0x68, 0x35, 0x2, 0x291, 0x2a6, 0x5, 0x6c, 0x37, 0x2, 0x292, 
    0x2a6, 0x5, 0x70, 0x39, 0x2, 0x293, 0x2a6, 0x5, 0x72, 0x3a, 0x2, 0x294, 
    0x2a6, 0x5, 0x74, 0x3b, 0x2, 0x295, 0x2a6, 0x5, 0x78, 0x3d, 0x2, 0x296, 
    0x2a6, 0x5, 0x82, 0x42, 0x2, 0x297, 0x2a6, 0x5, 0x84, 0x43, 0x2, 0x298, 
    0x2a6, 0x5, 0x86, 0x44, 0x2, 0x299, 0x2a6, 0x5, 0x88, 0x45, 0x2, 0x29a, 
    0x2a6, 0x5, 0x8c, 0x47, 0x2, 0x29b, 0x2a6, 0x5, 0x90, 0x49, 0x2, 0x29c, 
    0x2a6, 0x5, 0x92, 0x4a, 0x2, 0x29d, 0x2a6, 0x5, 0x96, 0x4c, 0x2, 0x29e, 
    0x2a6, 0x5, 0x9a, 0x4e, 0x2, 0x29f, 0x2a6, 0x5, 0x9c, 0x4f, 0x2, 0x2a0, 
    0x2a6, 0x5, 0x9e, 0x50, 0x2, 0x2a1, 0x2a6, 0x5, 0xa0, 0x51, 0x2, 0x2a2, 
    0x2a6, 0x5, 0xa4, 0x53, 0x2, 0x2a3, 0x2a6, 0x5, 0xa8, 0x55, 0x2, 0x2a4, 
    0x2a6, 0x5, 0x6e, 0x38, 0x2, 0x2a5, 0x28f, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x290, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x291, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x292, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x293, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x294, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x295, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x296, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x297, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x298, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x299, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x29a, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x29b, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x29c, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x29d, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x29e, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x29f, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x2a0, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x2a1, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x2a2, 0x3, 0x2, 0x2, 0x2, 0x2a5, 0x2a3, 0x3, 0x2, 0x2, 0x2, 0x2a5, 
    0x2a4, 0x3, 0x2, 0x2, 0x2, 0x2a6, 0x61, 0x3, 0x2, 0x2, 0x2, 0x2a7, 0x2a8, 
    0x9, 0x3, 0x2, 0x2, 0x2a8, 0x2a9, 0x5, 0x16, 0xc, 0x2, 0x2a9, 0x2aa, 
    0x5, 0x64, 0x33, 0x2, 0x2aa, 0x2ab, 0x5, 0x66, 0x34, 0x2, 0x2ab, 0x63, 
    0x3, 0x2, 0x2, 0x2, 0x2ac, 0x2ad, 0x7, 0x3, 0x2, 0x2, 0x2ad, 0x2ae, 
    0x7, 0x2f, 0x2, 0x2, 0x2ae, 0x2af, 0x5, 0x5e, 0x30, 0x2, 0x2af, 0x2b0, 
    0x7, 0x4, 0x2, 0x2, 0x2b0, 0x65, 0x3, 0x2, 0x2, 0x2, 0x2b1, 0x2b2, 0x7, 
    0x3, 0x2, 0x2, 0x2b2, 0x2b3, 0x7, 0x30, 0x2, 0x2, 0x2b3, 0x2b4, 0x5, 
    0x5e, 0x30, 0x2, 0x2b4, 0x2b5, 0x7, 0x4, 0x2, 0x2, 0x2b5, 0x67, 0x3, 
    0x2, 0x2, 0x2, 0x2b6, 0x2b7, 0x9, 0x4, 0x2, 0x2, 0x2b7, 0x2b8, 0x5, 
    0x16, 0xc, 0x2, 0x2b8, 0x2b9, 0x5, 0x6a, 0x36, 0x2, 0x2b9, 0x2ba, 0x5, 
    0x6a, 0x36, 0x2, 0x2ba, 0x69, 0x3, 0x2, 0x2, 0x2, 0x2bb, 0x2c1, 0x7, 
    0x3, 0x2, 0x2, 0x2bc, 0x2bd, 0x7, 0x2f, 0x2, 0x2, 0x2bd, 0x2c2, 0x5, 
    0x5e, 0x30, 0x2, 0x2be, 0x2bf, 0x7, 0x30, 0x2, 0x2, 0x2bf, 0x2c2, 0x5, 
    0x5e, 0x30, 0x2, 0x2c0, 0x2c2, 0x5, 0x60, 0x31, 0x2, 0x2c1, 0x2bc, 0x3, 
    0x2, 0x2, 0x2, 0x2c1, 0x2be, 0x3, 0x2, 0x2, 0x2, 0x2c1, 0x2c0, 0x3, 
    0x2, 0x2, 0x2, 0x2c2, 0x2c3, 0x3, 0x2, 0x2, 0x2, 0x2c3, 0x2c4, 0x7, 
    0x4, 0x2, 0x2, 0x2c4, 0x6b, 0x3, 0x2, 0x2, 0x2, 0x2c5, 0x2c6, 0x9, 0x5, 
    0x2, 0x2, 0x2c6, 0x2c7, 0x5, 0x16, 0xc, 0x2, 0x2c7, 0x2c8, 0x5, 0x5e, 
    0x30, 0x2, 0x2c8, 0x6d, 0x3, 0x2, 0x2, 0x2, 0x2c9, 0x2ca, 0x5, 0x16, 
    0xc, 0x2, 0x2ca, 0x2cb, 0x5, 0x5e, 0x30, 0x2, 0x2cb, 0x6f, 0x3, 0x2, 
    0x2, 0x2, 0x2cc, 0x2cd, 0x7, 0x49, 0x2, 0x2, 0x2cd, 0x2ce, 0x7, 0x74, 
    0x2, 0x2, 0x2ce, 0x2cf, 0x7, 0x93, 0x2, 0x2, 0x2cf, 0x2d0, 0x5, 0x16, 
    0xc, 0x2, 0x2d0, 0x71, 0x3, 0x2, 0x2, 0x2, 0x2d1, 0x2d6, 0x7, 0x4a, 
    0x2, 0x2, 0x2d2, 0x2d3, 0x7, 0x7a, 0x2, 0x2, 0x2d3, 0x2d7, 0x7, 0x93, 
    0x2, 0x2, 0x2d4, 0x2d5, 0x9, 0x6, 0x2, 0x2, 0x2d5, 0x2d7, 0x5, 0xae, 
    0x58, 0x2, 0x2d6, 0x2d2, 0x3, 0x2, 0x2, 0x2, 0x2d6, 0x2d4, 0x3, 0x2, 
    0x2, 0x2, 0x2d7, 0x2d8, 0x3, 0x2, 0x2, 0x2, 0x2d8, 0x2d9, 0x5, 0x16, 
    0xc, 0x2, 0x2d9, 0x73, 0x3, 0x2, 0x2, 0x2, 0x2da, 0x2de, 0x7, 0x4b, 
    0x2, 0x2, 0x2db, 0x2dd, 0x5, 0x76, 0x3c, 0x2, 0x2dc, 0x2db, 0x3, 0x2, 
    0x2, 0x2, 0x2dd, 0x2e0, 0x3, 0x2, 0x2, 0x2, 0x2de, 0x2dc, 0x3, 0x2, 
    0x2, 0x2, 0x2de, 0x2df, 0x3, 0x2, 0x2, 0x2, 0x2df, 0x2e1, 0x3, 0x2, 
    0x2, 0x2, 0x2e0, 0x2de, 0x3, 0x2, 0x2, 0x2, 0x2e1, 0x2e2, 0x5, 0x16, 
    0xc, 0x2, 0x2e2, 0x75, 0x3, 0x2, 0x2, 0x2, 0x2e3, 0x2e4, 0x9, 0x7, 0x2, 
    0x2, 0x2e4, 0x2e5, 0x5, 0xae, 0x58, 0x2, 0x2e5, 0x77, 0x3, 0x2, 0x2, 
    0x2, 0x2e6, 0x2ea, 0x7, 0x4c, 0x2, 0x2, 0x2e7, 0x2e9, 0x5, 0x7a, 0x3e, 
    0x2, 0x2e8, 0x2e7, 0x3, 0x2, 0x2, 0x2, 0x2e9, 0x2ec, 0x3, 0x2, 0x2, 
    0x2, 0x2ea, 0x2e8, 0x3, 0x2, 0x2, 0x2, 0x2ea, 0x2eb, 0x3, 0x2, 0x2, 
    0x2, 0x2eb, 0x2ed, 0x3, 0x2, 0x2, 0x2, 0x2ec, 0x2ea, 0x3, 0x2, 0x2, 
    0x2, 0x2ed, 0x2ee, 0x5, 0x16, 0xc, 0x2, 0x2ee, 0x2ef, 0x5, 0x7c, 0x3f, 
    0x2, 0x2ef, 0x79, 0x3, 0x2, 0x2, 0x2, 0x2f0, 0x2f1, 0x7, 0x7f, 0x2, 
    0x2, 0x2f1, 0x2f9, 0x7, 0x93, 0x2, 0x2, 0x2f2, 0x2f3, 0x7, 0x80, 0x2, 
    0x2, 0x2f3, 0x2f9, 0x5, 0xac, 0x57, 0x2, 0x2f4, 0x2f5, 0x7, 0x67, 0x2, 
    0x2, 0x2f5, 0x2f9, 0x5, 0xac, 0x57, 0x2, 0x2f6, 0x2f7, 0x7, 0x68, 0x2, 
    0x2, 0x2f7, 0x2f9, 0x5, 0xac, 0x57, 0x2, 0x2f8, 0x2f0, 0x3, 0x2, 0x2, 
    0x2, 0x2f8, 0x2f2, 0x3, 0x2, 0x2, 0x2, 0x2f8, 0x2f4, 0x3, 0x2, 0x2, 
    0x2, 0x2f8, 0x2f6, 0x3, 0x2, 0x2, 0x2, 0x2f9, 0x7b, 0x3, 0x2, 0x2, 0x2, 
    0x2fa, 0x2fb, 0x7, 0x3, 0x2, 0x2, 0x2fb, 0x2fd, 0x7, 0x4d, 0x2, 0x2, 
    0x2fc, 0x2fe, 0x5, 0x7e, 0x40, 0x2, 0x2fd, 0x2fc, 0x3, 0x2, 0x2, 0x2, 
    0x2fe, 0x2ff, 0x3, 0x2, 0x2, 0x2, 0x2ff, 0x2fd, 0x3, 0x2, 0x2, 0x2, 
    0x2ff, 0x300, 0x3, 0x2, 0x2, 0x2, 0x300, 0x301, 0x3, 0x2, 0x2, 0x2, 
    0x301, 0x302, 0x7, 0x4, 0x2, 0x2, 0x302, 0x7d, 0x3, 0x2, 0x2, 0x2, 0x303, 
    0x304, 0x7, 0x3, 0x2, 0x2, 0x304, 0x308, 0x7, 0x4c, 0x2, 0x2, 0x305, 
    0x307, 0x5, 0x80, 0x41, 0x2, 0x306, 0x305, 0x3, 0x2, 0x2, 0x2, 0x307, 
    0x30a, 0x3, 0x2, 0x2, 0x2, 0x308, 0x306, 0x3, 0x2, 0x2, 0x2, 0x308, 
    0x309, 0x3, 0x2, 0x2, 0x2, 0x309, 0x30b, 0x3, 0x2, 0x2, 0x2, 0x30a, 
    0x308, 0x3, 0x2, 0x2, 0x2, 0x30b, 0x30c, 0x5, 0x5e, 0x30, 0x2, 0x30c, 
    0x30d, 0x7, 0x4, 0x2, 0x2, 0x30d, 0x7f, 0x3, 0x2, 0x2, 0x2, 0x30e, 0x30f, 
    0x9, 0x8, 0x2, 0x2, 0x30f, 0x310, 0x5, 0xac, 0x57, 0x2, 0x310, 0x81, 
    0x3, 0x2, 0x2, 0x2, 0x311, 0x312, 0x7, 0x4e, 0x2, 0x2, 0x312, 0x313, 
    0x7, 0x85, 0x2, 0x2, 0x313, 0x314, 0x5, 0xb0, 0x59, 0x2, 0x314, 0x315, 
    0x5, 0x16, 0xc, 0x2, 0x315, 0x316, 0x5, 0x8a, 0x46, 0x2, 0x316, 0x83, 
    0x3, 0x2, 0x2, 0x2, 0x317, 0x318, 0x7, 0x4f, 0x2, 0x2, 0x318, 0x319, 
    0x7, 0x85, 0x2, 0x2, 0x319, 0x31a, 0x5, 0xb0, 0x59, 0x2, 0x31a, 0x31b, 
    0x5, 0x16, 0xc, 0x2, 0x31b, 0x85, 0x3, 0x2, 0x2, 0x2, 0x31c, 0x31d, 
    0x7, 0x50, 0x2, 0x2, 0x31d, 0x31e, 0x7, 0x86, 0x2, 0x2, 0x31e, 0x31f, 
    0x5, 0xb0, 0x59, 0x2, 0x31f, 0x320, 0x5, 0x16, 0xc, 0x2, 0x320, 0x321, 
    0x5, 0x8a, 0x46, 0x2, 0x321, 0x87, 0x3, 0x2, 0x2, 0x2, 0x322, 0x323, 
    0x7, 0x52, 0x2, 0x2, 0x323, 0x324, 0x7, 0x87, 0x2, 0x2, 0x324, 0x325, 
    0x5, 0xb0, 0x59, 0x2, 0x325, 0x326, 0x5, 0x16, 0xc, 0x2, 0x326, 0x327, 
    0x5, 0x8a, 0x46, 0x2, 0x327, 0x89, 0x3, 0x2, 0x2, 0x2, 0x328, 0x329, 
    0x7, 0x3, 0x2, 0x2, 0x329, 0x32d, 0x7, 0x51, 0x2, 0x2, 0x32a, 0x32c, 
    0x5, 0x5e, 0x30, 0x2, 0x32b, 0x32a, 0x3, 0x2, 0x2, 0x2, 0x32c, 0x32f, 
    0x3, 0x2, 0x2, 0x2, 0x32d, 0x32b, 0x3, 0x2, 0x2, 0x2, 0x32d, 0x32e, 
    0x3, 0x2, 0x2, 0x2, 0x32e, 0x330, 0x3, 0x2, 0x2, 0x2, 0x32f, 0x32d, 
    0x3, 0x2, 0x2, 0x2, 0x330, 0x331, 0x7, 0x4, 0x2, 0x2, 0x331, 0x8b, 0x3, 
    0x2, 0x2, 0x2, 0x332, 0x336, 0x7, 0x53, 0x2, 0x2, 0x333, 0x335, 0x5, 
    0x8e, 0x48, 0x2, 0x334, 0x333, 0x3, 0x2, 0x2, 0x2, 0x335, 0x338, 0x3, 
    0x2, 0x2, 0x2, 0x336, 0x334, 0x3, 0x2, 0x2, 0x2, 0x336, 0x337, 0x3, 
    0x2, 0x2, 0x2, 0x337, 0x339, 0x3, 0x2, 0x2, 0x2, 0x338, 0x336, 0x3, 
    0x2, 0x2, 0x2, 0x339, 0x33a, 0x5, 0x16, 0xc, 0x2, 0x33a, 0x8d, 0x3, 
    0x2, 0x2, 0x2, 0x33b, 0x33c, 0x9, 0x9, 0x2, 0x2, 0x33c, 0x33d, 0x7, 
    0x93, 0x2, 0x2, 0x33d, 0x8f, 0x3, 0x2, 0x2, 0x2, 0x33e, 0x33f, 0x7, 
    0x54, 0x2, 0x2, 0x33f, 0x340, 0x9, 0xa, 0x2, 0x2, 0x340, 0x341, 0x7, 
    0x93, 0x2, 0x2, 0x341, 0x342, 0x5, 0x16, 0xc, 0x2, 0x342, 0x91, 0x3, 
    0x2, 0x2, 0x2, 0x343, 0x344, 0x7, 0x55, 0x2, 0x2, 0x344, 0x345, 0x5, 
    0x16, 0xc, 0x2, 0x345, 0x346, 0x5, 0x94, 0x4b, 0x2, 0x346, 0x93, 0x3, 
    0x2, 0x2, 0x2, 0x347, 0x348, 0x7, 0x3, 0x2, 0x2, 0x348, 0x34c, 0x9, 
    0xb, 0x2, 0x2, 0x349, 0x34b, 0x5, 0x5e, 0x30, 0x2, 0x34a, 0x349, 0x3, 
    0x2, 0x2, 0x2, 0x34b, 0x34e, 0x3, 0x2, 0x2, 0x2, 0x34c, 0x34a, 0x3, 
    0x2, 0x2, 0x2, 0x34c, 0x34d, 0x3, 0x2, 0x2, 0x2, 0x34d, 0x34f, 0x3, 
    0x2, 0x2, 0x2, 0x34e, 0x34c, 0x3, 0x2, 0x2, 0x2, 0x34f, 0x350, 0x7, 
    0x4, 0x2, 0x2, 0x350, 0x95, 0x3, 0x2, 0x2, 0x2, 0x351, 0x355, 0x7, 0x58, 
    0x2, 0x2, 0x352, 0x354, 0x5, 0x98, 0x4d, 0x2, 0x353, 0x352, 0x3, 0x2, 
    0x2, 0x2, 0x354, 0x357, 0x3, 0x2, 0x2, 0x2, 0x355, 0x353, 0x3, 0x2, 
    0x2, 0x2, 0x355, 0x356, 0x3, 0x2, 0x2, 0x2, 0x356, 0x358, 0x3, 0x2, 
    0x2, 0x2, 0x357, 0x355, 0x3, 0x2, 0x2, 0x2, 0x358, 0x359, 0x5, 0x16, 
    0xc, 0x2, 0x359, 0x97, 0x3, 0x2, 0x2, 0x2, 0x35a, 0x35b, 0x9, 0xc, 0x2, 
    0x2, 0x35b, 0x35c, 0x7, 0x93, 0x2, 0x2, 0x35c, 0x99, 0x3, 0x2, 0x2, 
    0x2, 0x35d, 0x35e, 0x7, 0x59, 0x2, 0x2, 0x35e, 0x35f, 0x5, 0x16, 0xc, 
    0x2, 0x35f, 0x360, 0x5, 0x5e, 0x30, 0x2, 0x360, 0x361, 0x5, 0x5e, 0x30, 
    0x2, 0x361, 0x9b, 0x3, 0x2, 0x2, 0x2, 0x362, 0x363, 0x7, 0x5a, 0x2, 
    0x2, 0x363, 0x364, 0x7, 0x74, 0x2, 0x2, 0x364, 0x365, 0x7, 0x93, 0x2, 
    0x2, 0x365, 0x366, 0x5, 0x16, 0xc, 0x2, 0x366, 0x9d, 0x3, 0x2, 0x2, 
    0x2, 0x367, 0x368, 0x7, 0x5b, 0x2, 0x2, 0x368, 0x369, 0x7, 0x74, 0x2, 
    0x2, 0x369, 0x36a, 0x7, 0x93, 0x2, 0x2, 0x36a, 0x36b, 0x5, 0x16, 0xc, 
    0x2, 0x36b, 0x9f, 0x3, 0x2, 0x2, 0x2, 0x36c, 0x36f, 0x7, 0x5c, 0x2, 
    0x2, 0x36d, 0x36e, 0x7, 0x66, 0x2, 0x2, 0x36e, 0x370, 0x5, 0xac, 0x57, 
    0x2, 0x36f, 0x36d, 0x3, 0x2, 0x2, 0x2, 0x36f, 0x370, 0x3, 0x2, 0x2, 
    0x2, 0x370, 0x374, 0x3, 0x2, 0x2, 0x2, 0x371, 0x373, 0x5, 0xa2, 0x52, 
    0x2, 0x372, 0x371, 0x3, 0x2, 0x2, 0x2, 0x373, 0x376, 0x3, 0x2, 0x2, 
    0x2, 0x374, 0x372, 0x3, 0x2, 0x2, 0x2, 0x374, 0x375, 0x3, 0x2, 0x2, 
    0x2, 0x375, 0xa1, 0x3, 0x2, 0x2, 0x2, 0x376, 0x374, 0x3, 0x2, 0x2, 0x2, 
    0x377, 0x37f, 0x7, 0x3, 0x2, 0x2, 0x378, 0x379, 0x7, 0x5d, 0x2, 0x2, 
    0x379, 0x380, 0x5, 0x5e, 0x30, 0x2, 0x37a, 0x37b, 0x7, 0x5e, 0x2, 0x2, 
    0x37b, 0x380, 0x5, 0x5e, 0x30, 0x2, 0x37c, 0x37d, 0x7, 0x5f, 0x2, 0x2, 
    0x37d, 0x380, 0x5, 0x5e, 0x30, 0x2, 0x37e, 0x380, 0x5, 0x18, 0xd, 0x2, 
    0x37f, 0x378, 0x3, 0x2, 0x2, 0x2, 0x37f, 0x37a, 0x3, 0x2, 0x2, 0x2, 
    0x37f, 0x37c, 0x3, 0x2, 0x2, 0x2, 0x37f, 0x37e, 0x3, 0x2, 0x2, 0x2, 
    0x380, 0x381, 0x3, 0x2, 0x2, 0x2, 0x381, 0x382, 0x7, 0x4, 0x2, 0x2, 
    0x382, 0xa3, 0x3, 0x2, 0x2, 0x2, 0x383, 0x384, 0x7, 0x60, 0x2, 0x2, 
    0x384, 0x386, 0x5, 0x16, 0xc, 0x2, 0x385, 0x387, 0x5, 0xa6, 0x54, 0x2, 
    0x386, 0x385, 0x3, 0x2, 0x2, 0x2, 0x387, 0x388, 0x3, 0x2, 0x2, 0x2, 
    0x388, 0x386, 0x3, 0x2, 0x2, 0x2, 0x388, 0x389, 0x3, 0x2, 0x2, 0x2, 
    0x389, 0xa5, 0x3, 0x2, 0x2, 0x2, 0x38a, 0x38b, 0x7, 0x3, 0x2, 0x2, 0x38b, 
    0x38c, 0x5, 0xa0, 0x51, 0x2, 0x38c, 0x38d, 0x7, 0x4, 0x2, 0x2, 0x38d, 
    0xa7, 0x3, 0x2, 0x2, 0x2, 0x38e, 0x392, 0x7, 0x61, 0x2, 0x2, 0x38f, 
    0x391, 0x5, 0xaa, 0x56, 0x2, 0x390, 0x38f, 0x3, 0x2, 0x2, 0x2, 0x391, 
    0x394, 0x3, 0x2, 0x2, 0x2, 0x392, 0x390, 0x3, 0x2, 0x2, 0x2, 0x392, 
    0x393, 0x3, 0x2, 0x2, 0x2, 0x393, 0x395, 0x3, 0x2, 0x2, 0x2, 0x394, 
    0x392, 0x3, 0x2, 0x2, 0x2, 0x395, 0x396, 0x5, 0x16, 0xc, 0x2, 0x396, 
    0x397, 0x5, 0x7c, 0x3f, 0x2, 0x397, 0x398, 0x5, 0x8a, 0x46, 0x2, 0x398, 
    0xa9, 0x3, 0x2, 0x2, 0x2, 0x399, 0x39a, 0x7, 0x8b, 0x2, 0x2, 0x39a, 
    0x39e, 0x5, 0xb0, 0x59, 0x2, 0x39b, 0x39c, 0x7, 0x7f, 0x2, 0x2, 0x39c, 
    0x39e, 0x7, 0x93, 0x2, 0x2, 0x39d, 0x399, 0x3, 0x2, 0x2, 0x2, 0x39d, 
    0x39b, 0x3, 0x2, 0x2, 0x2, 0x39e, 0xab, 0x3, 0x2, 0x2, 0x2, 0x39f, 0x3a0, 
    0x9, 0xd, 0x2, 0x2, 0x3a0, 0xad, 0x3, 0x2, 0x2, 0x2, 0x3a1, 0x3a2, 0x9, 
    0xe, 0x2, 0x2, 0x3a2, 0xaf, 0x3, 0x2, 0x2, 0x2, 0x3a3, 0x3a6, 0x5, 0xb2, 
    0x5a, 0x2, 0x3a4, 0x3a6, 0x7, 0x95, 0x2, 0x2, 0x3a5, 0x3a3, 0x3, 0x2, 
    0x2, 0x2, 0x3a5, 0x3a4, 0x3, 0x2, 0x2, 0x2, 0x3a6, 0xb1, 0x3, 0x2, 0x2, 
    0x2, 0x3a7, 0x3a8, 0x9, 0xf, 0x2, 0x2, 0x3a8, 0xb3, 0x3, 0x2, 0x2, 0x2, 
    0x55, 0xb9, 0xc1, 0xe1, 0xe7, 0xeb, 0xf5, 0xf9, 0xfe, 0x101, 0x105, 
    0x10e, 0x111, 0x115, 0x119, 0x11d, 0x129, 0x134, 0x13b, 0x14e, 0x158, 
    0x161, 0x166, 0x16c, 0x175, 0x17b, 0x181, 0x186, 0x18c, 0x194, 0x19b, 
    0x19f, 0x1a7, 0x1ac, 0x1bd, 0x1c1, 0x1cb, 0x1d3, 0x1db, 0x1e3, 0x1eb, 
    0x1ef, 0x1fa, 0x204, 0x20f, 0x217, 0x21c, 0x224, 0x227, 0x22d, 0x230, 
    0x236, 0x242, 0x247, 0x24e, 0x258, 0x25f, 0x263, 0x267, 0x26e, 0x272, 
    0x278, 0x27c, 0x283, 0x287, 0x2a5, 0x2c1, 0x2d6, 0x2de, 0x2ea, 0x2f8, 
    0x2ff, 0x308, 0x32d, 0x336, 0x34c, 0x355, 0x36f, 0x374, 0x37f, 0x388, 
    0x392, 0x39d, 0x3a5, 
  };

  atn::ATNDeserializer deserializer;
  _atn = deserializer.deserialize(_serializedATN);

  size_t count = _atn.getNumberOfDecisions();
  _decisionToDFA.reserve(count);
  for (size_t i = 0; i < count; i++) { 
    _decisionToDFA.emplace_back(_atn.getDecisionState(i), i);
  }
}

VrirParser::Initializer VrirParser::_init;
