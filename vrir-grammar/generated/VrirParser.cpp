
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
    setState(174);
    match(VrirParser::Lp);
    setState(175);
    match(VrirParser::ModuleTok);
    setState(179);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 88) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 88)) & ((1ULL << (VrirParser::AttrName - 88))
      | (1ULL << (VrirParser::AttrIndexing - 88))
      | (1ULL << (VrirParser::AttrExclude - 88))
      | (1ULL << (VrirParser::AttrFlatten - 88))
      | (1ULL << (VrirParser::AttrGrow - 88))
      | (1ULL << (VrirParser::AttrAssign - 88))
      | (1ULL << (VrirParser::AttrSlices - 88))
      | (1ULL << (VrirParser::AttrNan - 88))
      | (1ULL << (VrirParser::AttrMemory - 88))
      | (1ULL << (VrirParser::AttrMindims - 88))
      | (1ULL << (VrirParser::AttrFastmath - 88))
      | (1ULL << (VrirParser::AttrBroadcast - 88))
      | (1ULL << (VrirParser::AttrVrir - 88)))) != 0)) {
      setState(176);
      moduleAttr();
      setState(181);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(182);
    match(VrirParser::Lp);
    setState(183);
    match(VrirParser::FnsTok);
    setState(187);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(184);
      function();
      setState(189);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(190);
    match(VrirParser::Rp);
    setState(191);
    match(VrirParser::Rp);
    setState(192);
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
    setState(235);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrName: {
        enterOuterAlt(_localctx, 1);
        setState(194);
        match(VrirParser::AttrName);
        setState(195);
        moduleName();
        break;
      }

      case VrirParser::AttrIndexing: {
        enterOuterAlt(_localctx, 2);
        setState(196);
        match(VrirParser::AttrIndexing);
        setState(197);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrExclude: {
        enterOuterAlt(_localctx, 3);
        setState(198);
        match(VrirParser::AttrExclude);
        setState(199);
        boolval();
        break;
      }

      case VrirParser::AttrFlatten: {
        enterOuterAlt(_localctx, 4);
        setState(200);
        match(VrirParser::AttrFlatten);
        setState(201);
        boolval();
        break;
      }

      case VrirParser::AttrGrow: {
        enterOuterAlt(_localctx, 5);
        setState(202);
        match(VrirParser::AttrGrow);
        setState(203);
        boolval();
        break;
      }

      case VrirParser::AttrAssign: {
        enterOuterAlt(_localctx, 6);
        setState(204);
        match(VrirParser::AttrAssign);
        setState(205);
        text();
        break;
      }

      case VrirParser::AttrSlices: {
        enterOuterAlt(_localctx, 7);
        setState(206);
        match(VrirParser::AttrSlices);
        setState(207);
        text();
        break;
      }

      case VrirParser::AttrNan: {
        enterOuterAlt(_localctx, 8);
        setState(208);
        match(VrirParser::AttrNan);
        setState(209);
        text();
        break;
      }

      case VrirParser::AttrMemory: {
        enterOuterAlt(_localctx, 9);
        setState(210);
        match(VrirParser::AttrMemory);
        setState(211);
        text();
        break;
      }

      case VrirParser::AttrMindims: {
        enterOuterAlt(_localctx, 10);
        setState(212);
        match(VrirParser::AttrMindims);
        setState(213);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrFastmath: {
        enterOuterAlt(_localctx, 11);
        setState(214);
        match(VrirParser::AttrFastmath);
        setState(229);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VrirParser::TrueTok:
          case VrirParser::FalseTok: {
            setState(215);
            boolval();
            break;
          }

          case VrirParser::ModuleTok:
          case VrirParser::FnsTok:
          case VrirParser::FunctionTok:
          case VrirParser::ArglistTok:
          case VrirParser::ArgTok:
          case VrirParser::SymtableTok:
          case VrirParser::SymTok:
          case VrirParser::BodyTok:
          case VrirParser::VoidTok:
          case VrirParser::VtypeTok:
          case VrirParser::NullTok:
          case VrirParser::Int32Tok:
          case VrirParser::Int64Tok:
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
            setState(217); 
            _errHandler->sync(this);
            _la = _input->LA(1);
            do {
              setState(216);
              word();
              setState(219); 
              _errHandler->sync(this);
              _la = _input->LA(1);
            } while (((((_la - 3) & ~ 0x3fULL) == 0) &&
              ((1ULL << (_la - 3)) & ((1ULL << (VrirParser::ModuleTok - 3))
              | (1ULL << (VrirParser::FnsTok - 3))
              | (1ULL << (VrirParser::FunctionTok - 3))
              | (1ULL << (VrirParser::ArglistTok - 3))
              | (1ULL << (VrirParser::ArgTok - 3))
              | (1ULL << (VrirParser::SymtableTok - 3))
              | (1ULL << (VrirParser::SymTok - 3))
              | (1ULL << (VrirParser::BodyTok - 3))
              | (1ULL << (VrirParser::VoidTok - 3))
              | (1ULL << (VrirParser::VtypeTok - 3))
              | (1ULL << (VrirParser::NullTok - 3))
              | (1ULL << (VrirParser::Int32Tok - 3))
              | (1ULL << (VrirParser::Int64Tok - 3))
              | (1ULL << (VrirParser::Float32Tok - 3))
              | (1ULL << (VrirParser::Float64Tok - 3))
              | (1ULL << (VrirParser::BoolTok - 3))
              | (1ULL << (VrirParser::ArrayTypeTok - 3))
              | (1ULL << (VrirParser::TupleTypeTok - 3))
              | (1ULL << (VrirParser::DomainTypeTok - 3))
              | (1ULL << (VrirParser::FnTypeTok - 3))
              | (1ULL << (VrirParser::IntypesTok - 3))
              | (1ULL << (VrirParser::OuttypesTok - 3))
              | (1ULL << (VrirParser::AssignstmtTok - 3))
              | (1ULL << (VrirParser::StmtlistTok - 3))
              | (1ULL << (VrirParser::ForstmtTok - 3))
              | (1ULL << (VrirParser::PforstmtTok - 3))
              | (1ULL << (VrirParser::WhilestmtTok - 3))
              | (1ULL << (VrirParser::IfstmtTok - 3))
              | (1ULL << (VrirParser::BreakTok - 3))
              | (1ULL << (VrirParser::ContinueTok - 3))
              | (1ULL << (VrirParser::ReturnstmtTok - 3))
              | (1ULL << (VrirParser::ExprstmtTok - 3))
              | (1ULL << (VrirParser::LhsTok - 3))
              | (1ULL << (VrirParser::RhsTok - 3))
              | (1ULL << (VrirParser::StmtsTok - 3))
              | (1ULL << (VrirParser::ItervarsTok - 3))
              | (1ULL << (VrirParser::LoopDomainTok - 3))
              | (1ULL << (VrirParser::SharedTok - 3))
              | (1ULL << (VrirParser::AutoTok - 3))
              | (1ULL << (VrirParser::TestTok - 3))
              | (1ULL << (VrirParser::IfTok - 3))
              | (1ULL << (VrirParser::ElseTok - 3))
              | (1ULL << (VrirParser::ExprsTok - 3))
              | (1ULL << (VrirParser::PlusTok - 3))
              | (1ULL << (VrirParser::MinusTok - 3))
              | (1ULL << (VrirParser::MultTok - 3))
              | (1ULL << (VrirParser::DivTok - 3))
              | (1ULL << (VrirParser::LtTok - 3))
              | (1ULL << (VrirParser::LeqTok - 3))
              | (1ULL << (VrirParser::GtTok - 3))
              | (1ULL << (VrirParser::GeqTok - 3))
              | (1ULL << (VrirParser::EqTok - 3))
              | (1ULL << (VrirParser::NeqTok - 3))
              | (1ULL << (VrirParser::AndTok - 3))
              | (1ULL << (VrirParser::OrTok - 3))
              | (1ULL << (VrirParser::NotTok - 3))
              | (1ULL << (VrirParser::NegateTok - 3))
              | (1ULL << (VrirParser::CastTok - 3))
              | (1ULL << (VrirParser::NameTok - 3))
              | (1ULL << (VrirParser::RealConstTok - 3))
              | (1ULL << (VrirParser::ComplexConstTok - 3))
              | (1ULL << (VrirParser::IndexTok - 3))
              | (1ULL << (VrirParser::IndicesTok - 3))
              | (1ULL << (VrirParser::FncallTok - 3)))) != 0) || ((((_la - 67) & ~ 0x3fULL) == 0) &&
              ((1ULL << (_la - 67)) & ((1ULL << (VrirParser::FnhandleTok - 67))
              | (1ULL << (VrirParser::LibcallTok - 67))
              | (1ULL << (VrirParser::ArgsTok - 67))
              | (1ULL << (VrirParser::AllocTok - 67))
              | (1ULL << (VrirParser::DimTok - 67))
              | (1ULL << (VrirParser::DimvecTok - 67))
              | (1ULL << (VrirParser::TupleTok - 67))
              | (1ULL << (VrirParser::ElemsTok - 67))
              | (1ULL << (VrirParser::ElmsTok - 67))
              | (1ULL << (VrirParser::TupleIndexTok - 67))
              | (1ULL << (VrirParser::ComplexTok - 67))
              | (1ULL << (VrirParser::RealTok - 67))
              | (1ULL << (VrirParser::ImagTok - 67))
              | (1ULL << (VrirParser::RangeTok - 67))
              | (1ULL << (VrirParser::StartTok - 67))
              | (1ULL << (VrirParser::StepTok - 67))
              | (1ULL << (VrirParser::StopTok - 67))
              | (1ULL << (VrirParser::DomainTok - 67))
              | (1ULL << (VrirParser::XchangeTok - 67))
              | (1ULL << (VrirParser::InfTok - 67))
              | (1ULL << (VrirParser::NanTok - 67))
              | (1ULL << (VrirParser::Name - 67)))) != 0));
            break;
          }

          case VrirParser::Lp: {
            setState(221);
            match(VrirParser::Lp);
            setState(225);
            _errHandler->sync(this);
            _la = _input->LA(1);
            while (((((_la - 3) & ~ 0x3fULL) == 0) &&
              ((1ULL << (_la - 3)) & ((1ULL << (VrirParser::ModuleTok - 3))
              | (1ULL << (VrirParser::FnsTok - 3))
              | (1ULL << (VrirParser::FunctionTok - 3))
              | (1ULL << (VrirParser::ArglistTok - 3))
              | (1ULL << (VrirParser::ArgTok - 3))
              | (1ULL << (VrirParser::SymtableTok - 3))
              | (1ULL << (VrirParser::SymTok - 3))
              | (1ULL << (VrirParser::BodyTok - 3))
              | (1ULL << (VrirParser::VoidTok - 3))
              | (1ULL << (VrirParser::VtypeTok - 3))
              | (1ULL << (VrirParser::NullTok - 3))
              | (1ULL << (VrirParser::Int32Tok - 3))
              | (1ULL << (VrirParser::Int64Tok - 3))
              | (1ULL << (VrirParser::Float32Tok - 3))
              | (1ULL << (VrirParser::Float64Tok - 3))
              | (1ULL << (VrirParser::BoolTok - 3))
              | (1ULL << (VrirParser::ArrayTypeTok - 3))
              | (1ULL << (VrirParser::TupleTypeTok - 3))
              | (1ULL << (VrirParser::DomainTypeTok - 3))
              | (1ULL << (VrirParser::FnTypeTok - 3))
              | (1ULL << (VrirParser::IntypesTok - 3))
              | (1ULL << (VrirParser::OuttypesTok - 3))
              | (1ULL << (VrirParser::AssignstmtTok - 3))
              | (1ULL << (VrirParser::StmtlistTok - 3))
              | (1ULL << (VrirParser::ForstmtTok - 3))
              | (1ULL << (VrirParser::PforstmtTok - 3))
              | (1ULL << (VrirParser::WhilestmtTok - 3))
              | (1ULL << (VrirParser::IfstmtTok - 3))
              | (1ULL << (VrirParser::BreakTok - 3))
              | (1ULL << (VrirParser::ContinueTok - 3))
              | (1ULL << (VrirParser::ReturnstmtTok - 3))
              | (1ULL << (VrirParser::ExprstmtTok - 3))
              | (1ULL << (VrirParser::LhsTok - 3))
              | (1ULL << (VrirParser::RhsTok - 3))
              | (1ULL << (VrirParser::StmtsTok - 3))
              | (1ULL << (VrirParser::ItervarsTok - 3))
              | (1ULL << (VrirParser::LoopDomainTok - 3))
              | (1ULL << (VrirParser::SharedTok - 3))
              | (1ULL << (VrirParser::AutoTok - 3))
              | (1ULL << (VrirParser::TestTok - 3))
              | (1ULL << (VrirParser::IfTok - 3))
              | (1ULL << (VrirParser::ElseTok - 3))
              | (1ULL << (VrirParser::ExprsTok - 3))
              | (1ULL << (VrirParser::PlusTok - 3))
              | (1ULL << (VrirParser::MinusTok - 3))
              | (1ULL << (VrirParser::MultTok - 3))
              | (1ULL << (VrirParser::DivTok - 3))
              | (1ULL << (VrirParser::LtTok - 3))
              | (1ULL << (VrirParser::LeqTok - 3))
              | (1ULL << (VrirParser::GtTok - 3))
              | (1ULL << (VrirParser::GeqTok - 3))
              | (1ULL << (VrirParser::EqTok - 3))
              | (1ULL << (VrirParser::NeqTok - 3))
              | (1ULL << (VrirParser::AndTok - 3))
              | (1ULL << (VrirParser::OrTok - 3))
              | (1ULL << (VrirParser::NotTok - 3))
              | (1ULL << (VrirParser::NegateTok - 3))
              | (1ULL << (VrirParser::CastTok - 3))
              | (1ULL << (VrirParser::NameTok - 3))
              | (1ULL << (VrirParser::RealConstTok - 3))
              | (1ULL << (VrirParser::ComplexConstTok - 3))
              | (1ULL << (VrirParser::IndexTok - 3))
              | (1ULL << (VrirParser::IndicesTok - 3))
              | (1ULL << (VrirParser::FncallTok - 3)))) != 0) || ((((_la - 67) & ~ 0x3fULL) == 0) &&
              ((1ULL << (_la - 67)) & ((1ULL << (VrirParser::FnhandleTok - 67))
              | (1ULL << (VrirParser::LibcallTok - 67))
              | (1ULL << (VrirParser::ArgsTok - 67))
              | (1ULL << (VrirParser::AllocTok - 67))
              | (1ULL << (VrirParser::DimTok - 67))
              | (1ULL << (VrirParser::DimvecTok - 67))
              | (1ULL << (VrirParser::TupleTok - 67))
              | (1ULL << (VrirParser::ElemsTok - 67))
              | (1ULL << (VrirParser::ElmsTok - 67))
              | (1ULL << (VrirParser::TupleIndexTok - 67))
              | (1ULL << (VrirParser::ComplexTok - 67))
              | (1ULL << (VrirParser::RealTok - 67))
              | (1ULL << (VrirParser::ImagTok - 67))
              | (1ULL << (VrirParser::RangeTok - 67))
              | (1ULL << (VrirParser::StartTok - 67))
              | (1ULL << (VrirParser::StepTok - 67))
              | (1ULL << (VrirParser::StopTok - 67))
              | (1ULL << (VrirParser::DomainTok - 67))
              | (1ULL << (VrirParser::XchangeTok - 67))
              | (1ULL << (VrirParser::InfTok - 67))
              | (1ULL << (VrirParser::NanTok - 67))
              | (1ULL << (VrirParser::Name - 67)))) != 0)) {
              setState(222);
              word();
              setState(227);
              _errHandler->sync(this);
              _la = _input->LA(1);
            }
            setState(228);
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
        setState(231);
        match(VrirParser::AttrBroadcast);
        setState(232);
        text();
        break;
      }

      case VrirParser::AttrVrir: {
        enterOuterAlt(_localctx, 13);
        setState(233);
        match(VrirParser::AttrVrir);
        setState(234);
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
    setState(239);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::ModuleTok:
      case VrirParser::FnsTok:
      case VrirParser::FunctionTok:
      case VrirParser::ArglistTok:
      case VrirParser::ArgTok:
      case VrirParser::SymtableTok:
      case VrirParser::SymTok:
      case VrirParser::BodyTok:
      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
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
        setState(237);
        text();
        break;
      }

      case VrirParser::ModuleText: {
        enterOuterAlt(_localctx, 2);
        setState(238);
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

tree::TerminalNode* VrirParser::FunctionContext::Rp() {
  return getToken(VrirParser::Rp, 0);
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
    setState(241);
    match(VrirParser::Lp);
    setState(242);
    match(VrirParser::FunctionTok);
    setState(244);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(243);
      locAttr();
    }
    setState(247);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrName) {
      setState(246);
      match(VrirParser::AttrName);
    }
    setState(249);
    text();
    setState(251);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(250);
      locAttr();
    }
    setState(253);
    vtype();
    setState(254);
    arglist();
    setState(255);
    body();
    setState(256);
    symtable();
    setState(257);
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
    setState(259);
    match(VrirParser::AttrLoc);
    setState(260);
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
    setState(262);
    match(VrirParser::Lp);
    setState(263);
    match(VrirParser::ArglistTok);
    setState(267);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp || _la == VrirParser::Intval) {
      setState(264);
      fnarg();
      setState(269);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(270);
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
    setState(278);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::Lp: {
        enterOuterAlt(_localctx, 1);
        setState(272);
        match(VrirParser::Lp);
        setState(273);
        match(VrirParser::ArgTok);
        setState(274);
        match(VrirParser::AttrId);
        setState(275);
        match(VrirParser::Intval);
        setState(276);
        match(VrirParser::Rp);
        break;
      }

      case VrirParser::Intval: {
        enterOuterAlt(_localctx, 2);
        setState(277);
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
    setState(280);
    match(VrirParser::Lp);
    setState(281);
    match(VrirParser::SymtableTok);
    setState(285);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(282);
      sym();
      setState(287);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(288);
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
    setState(290);
    match(VrirParser::Lp);
    setState(291);
    match(VrirParser::SymTok);
    setState(292);
    match(VrirParser::AttrId);
    setState(293);
    match(VrirParser::Intval);
    setState(294);
    match(VrirParser::AttrName);
    setState(295);
    text();
    setState(296);
    vtype();
    setState(297);
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
    setState(299);
    match(VrirParser::Lp);
    setState(300);
    match(VrirParser::BodyTok);
    setState(304);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(301);
      statement();
      setState(306);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(307);
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
    setState(314);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::VoidTok: {
        enterOuterAlt(_localctx, 1);
        setState(309);
        match(VrirParser::VoidTok);
        break;
      }

      case VrirParser::Lp: {
        enterOuterAlt(_localctx, 2);
        setState(310);
        match(VrirParser::Lp);
        setState(311);
        typeBody();
        setState(312);
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
    setState(323);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok: {
        enterOuterAlt(_localctx, 1);
        setState(316);
        scalartype();
        break;
      }

      case VrirParser::ArrayTypeTok: {
        enterOuterAlt(_localctx, 2);
        setState(317);
        arraytype();
        break;
      }

      case VrirParser::TupleTypeTok: {
        enterOuterAlt(_localctx, 3);
        setState(318);
        tupletype();
        break;
      }

      case VrirParser::DomainTypeTok: {
        enterOuterAlt(_localctx, 4);
        setState(319);
        domaintype();
        break;
      }

      case VrirParser::FnTypeTok: {
        enterOuterAlt(_localctx, 5);
        setState(320);
        fntype();
        break;
      }

      case VrirParser::VoidTok:
      case VrirParser::VtypeTok: {
        enterOuterAlt(_localctx, 6);
        setState(321);
        voidtype();
        break;
      }

      case VrirParser::NullTok: {
        enterOuterAlt(_localctx, 7);
        setState(322);
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

tree::TerminalNode* VrirParser::ScalartypeContext::Int32Tok() {
  return getToken(VrirParser::Int32Tok, 0);
}

tree::TerminalNode* VrirParser::ScalartypeContext::Int64Tok() {
  return getToken(VrirParser::Int64Tok, 0);
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
    setState(325);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VrirParser::Int32Tok)
      | (1ULL << VrirParser::Int64Tok)
      | (1ULL << VrirParser::Float32Tok)
      | (1ULL << VrirParser::Float64Tok)
      | (1ULL << VrirParser::BoolTok))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(328);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrCtype) {
      setState(326);
      match(VrirParser::AttrCtype);
      setState(327);
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
    setState(330);
    match(VrirParser::ArrayTypeTok);
    setState(334);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrLayout

    || _la == VrirParser::AttrNdims) {
      setState(331);
      arrayAttr();
      setState(336);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(337);
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
    setState(343);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrLayout: {
        enterOuterAlt(_localctx, 1);
        setState(339);
        match(VrirParser::AttrLayout);
        setState(340);
        text();
        break;
      }

      case VrirParser::AttrNdims: {
        enterOuterAlt(_localctx, 2);
        setState(341);
        match(VrirParser::AttrNdims);
        setState(342);
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
    setState(345);
    match(VrirParser::TupleTypeTok);
    setState(349);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp

    || _la == VrirParser::VoidTok) {
      setState(346);
      vtype();
      setState(351);
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
    setState(352);
    match(VrirParser::DomainTypeTok);
    setState(355);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrNdims) {
      setState(353);
      match(VrirParser::AttrNdims);
      setState(354);
      match(VrirParser::Intval);
    }
    setState(358); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(357);
      vtype();
      setState(360); 
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
    setState(362);
    match(VrirParser::FnTypeTok);
    setState(366);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(363);
      fntypePart();
      setState(368);
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
    setState(369);
    match(VrirParser::Lp);
    setState(385);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::IntypesTok: {
        setState(370);
        match(VrirParser::IntypesTok);
        setState(374);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VrirParser::Lp

        || _la == VrirParser::VoidTok) {
          setState(371);
          vtype();
          setState(376);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VrirParser::OuttypesTok: {
        setState(377);
        match(VrirParser::OuttypesTok);
        setState(381);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VrirParser::Lp

        || _la == VrirParser::VoidTok) {
          setState(378);
          vtype();
          setState(383);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok:
      case VrirParser::ArrayTypeTok:
      case VrirParser::TupleTypeTok:
      case VrirParser::DomainTypeTok:
      case VrirParser::FnTypeTok: {
        setState(384);
        typeBody();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(387);
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
    setState(393);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::VoidTok: {
        enterOuterAlt(_localctx, 1);
        setState(389);
        match(VrirParser::VoidTok);
        break;
      }

      case VrirParser::VtypeTok: {
        enterOuterAlt(_localctx, 2);
        setState(390);
        match(VrirParser::VtypeTok);
        setState(391);
        match(VrirParser::AttrName);
        setState(392);
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
    setState(395);
    match(VrirParser::NullTok);
    setState(398);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrCtype) {
      setState(396);
      match(VrirParser::AttrCtype);
      setState(397);
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
    setState(400);
    match(VrirParser::Lp);
    setState(401);
    statementBody();
    setState(402);
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
    setState(414);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AssignstmtTok: {
        enterOuterAlt(_localctx, 1);
        setState(404);
        assignstmt();
        break;
      }

      case VrirParser::StmtlistTok: {
        enterOuterAlt(_localctx, 2);
        setState(405);
        stmtlist();
        break;
      }

      case VrirParser::ForstmtTok: {
        enterOuterAlt(_localctx, 3);
        setState(406);
        forstmt();
        break;
      }

      case VrirParser::PforstmtTok: {
        enterOuterAlt(_localctx, 4);
        setState(407);
        pforstmt();
        break;
      }

      case VrirParser::WhilestmtTok: {
        enterOuterAlt(_localctx, 5);
        setState(408);
        whilestmt();
        break;
      }

      case VrirParser::IfstmtTok: {
        enterOuterAlt(_localctx, 6);
        setState(409);
        ifstmt();
        break;
      }

      case VrirParser::BreakTok: {
        enterOuterAlt(_localctx, 7);
        setState(410);
        breakstmt();
        break;
      }

      case VrirParser::ContinueTok: {
        enterOuterAlt(_localctx, 8);
        setState(411);
        continuestmt();
        break;
      }

      case VrirParser::ReturnstmtTok: {
        enterOuterAlt(_localctx, 9);
        setState(412);
        returnstmt();
        break;
      }

      case VrirParser::ExprstmtTok: {
        enterOuterAlt(_localctx, 10);
        setState(413);
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
    setState(416);
    match(VrirParser::AssignstmtTok);
    setState(418);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(417);
      locAttr();
    }
    setState(420);
    lhs();
    setState(421);
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
    setState(423);
    match(VrirParser::Lp);
    setState(424);
    match(VrirParser::LhsTok);
    setState(428);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(425);
      expr();
      setState(430);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(431);
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
    setState(433);
    match(VrirParser::Lp);
    setState(434);
    match(VrirParser::RhsTok);
    setState(436);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(435);
      expr();
    }
    setState(438);
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
    setState(440);
    match(VrirParser::StmtlistTok);
    setState(444);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrLoc

    || _la == VrirParser::AttrOnGpu) {
      setState(441);
      stmtlistAttr();
      setState(446);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(447);
    match(VrirParser::Lp);
    setState(448);
    match(VrirParser::StmtsTok);
    setState(452);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(449);
      statement();
      setState(454);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(455);
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
    setState(460);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrOnGpu: {
        enterOuterAlt(_localctx, 1);
        setState(457);
        match(VrirParser::AttrOnGpu);
        setState(458);
        boolval();
        break;
      }

      case VrirParser::AttrLoc: {
        enterOuterAlt(_localctx, 2);
        setState(459);
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
    setState(462);
    match(VrirParser::ForstmtTok);
    setState(464);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(463);
      locAttr();
    }
    setState(466);
    itervars();
    setState(467);
    loopdomain();
    setState(468);
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
    setState(470);
    match(VrirParser::Lp);
    setState(471);
    match(VrirParser::ItervarsTok);
    setState(473); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(472);
      symref();
      setState(475); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp || _la == VrirParser::Intval);
    setState(477);
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
    setState(485);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::Intval: {
        enterOuterAlt(_localctx, 1);
        setState(479);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::Lp: {
        enterOuterAlt(_localctx, 2);
        setState(480);
        match(VrirParser::Lp);
        setState(481);
        match(VrirParser::SymTok);
        setState(482);
        match(VrirParser::AttrId);
        setState(483);
        match(VrirParser::Intval);
        setState(484);
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
    setState(487);
    match(VrirParser::Lp);
    setState(488);
    match(VrirParser::LoopDomainTok);
    setState(489);
    expr();
    setState(490);
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
    setState(492);
    match(VrirParser::PforstmtTok);
    setState(496);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrLoc

    || _la == VrirParser::AttrShared) {
      setState(493);
      pforAttr();
      setState(498);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(499);
    itervars();
    setState(500);
    loopdomain();
    setState(502); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(501);
      pforPart();
      setState(504); 
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
    setState(509);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrShared: {
        enterOuterAlt(_localctx, 1);
        setState(506);
        match(VrirParser::AttrShared);
        setState(507);
        match(VrirParser::AutoTok);
        break;
      }

      case VrirParser::AttrLoc: {
        enterOuterAlt(_localctx, 2);
        setState(508);
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
    setState(511);
    match(VrirParser::Lp);
    setState(529);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::SharedTok: {
        setState(512);
        match(VrirParser::SharedTok);
        setState(520);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VrirParser::AutoTok: {
            setState(513);
            match(VrirParser::AutoTok);
            break;
          }

          case VrirParser::Lp:
          case VrirParser::Rp:
          case VrirParser::Intval: {
            setState(517);
            _errHandler->sync(this);
            _la = _input->LA(1);
            while (_la == VrirParser::Lp || _la == VrirParser::Intval) {
              setState(514);
              symref();
              setState(519);
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
        setState(522);
        match(VrirParser::BodyTok);
        setState(526);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VrirParser::Lp) {
          setState(523);
          statement();
          setState(528);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(531);
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
    setState(533);
    match(VrirParser::WhilestmtTok);
    setState(535);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(534);
      locAttr();
    }
    setState(537);
    test();
    setState(538);
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
    setState(540);
    match(VrirParser::Lp);
    setState(541);
    match(VrirParser::TestTok);
    setState(542);
    expr();
    setState(543);
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
    setState(545);
    match(VrirParser::IfstmtTok);
    setState(547);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(546);
      locAttr();
    }
    setState(549);
    test();
    setState(550);
    ifBody();
    setState(552);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(551);
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
    setState(554);
    match(VrirParser::Lp);
    setState(555);
    match(VrirParser::IfTok);
    setState(559);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(556);
      statement();
      setState(561);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(562);
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
    setState(564);
    match(VrirParser::Lp);
    setState(565);
    match(VrirParser::ElseTok);
    setState(569);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(566);
      statement();
      setState(571);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
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
    setState(574);
    match(VrirParser::BreakTok);
    setState(576);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(575);
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
    setState(578);
    match(VrirParser::ContinueTok);
    setState(580);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(579);
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
    setState(582);
    match(VrirParser::ReturnstmtTok);
    setState(584);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(583);
      locAttr();
    }
    setState(595);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::Lp) {
      setState(586);
      match(VrirParser::Lp);
      setState(587);
      match(VrirParser::ExprsTok);
      setState(591);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VrirParser::Lp) {
        setState(588);
        expr();
        setState(593);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
      setState(594);
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
  enterRule(_localctx, 86, VrirParser::RuleExprstmt);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(597);
    match(VrirParser::ExprstmtTok);
    setState(599);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrLoc) {
      setState(598);
      locAttr();
    }
    setState(601);
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
  enterRule(_localctx, 88, VrirParser::RuleExpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(603);
    match(VrirParser::Lp);
    setState(604);
    exprBody();
    setState(605);
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
  enterRule(_localctx, 90, VrirParser::RuleExprBody);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(629);
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
        setState(607);
        binary();
        break;
      }

      case VrirParser::AndTok:
      case VrirParser::OrTok: {
        enterOuterAlt(_localctx, 2);
        setState(608);
        logic();
        break;
      }

      case VrirParser::NotTok:
      case VrirParser::NegateTok:
      case VrirParser::CastTok: {
        enterOuterAlt(_localctx, 3);
        setState(609);
        unary();
        break;
      }

      case VrirParser::NameTok: {
        enterOuterAlt(_localctx, 4);
        setState(610);
        name();
        break;
      }

      case VrirParser::RealConstTok: {
        enterOuterAlt(_localctx, 5);
        setState(611);
        realconst();
        break;
      }

      case VrirParser::ComplexConstTok: {
        enterOuterAlt(_localctx, 6);
        setState(612);
        complexconst();
        break;
      }

      case VrirParser::IndexTok: {
        enterOuterAlt(_localctx, 7);
        setState(613);
        indexexpr();
        break;
      }

      case VrirParser::FncallTok: {
        enterOuterAlt(_localctx, 8);
        setState(614);
        fncall();
        break;
      }

      case VrirParser::FnhandleTok: {
        enterOuterAlt(_localctx, 9);
        setState(615);
        fnhandle();
        break;
      }

      case VrirParser::LibcallTok: {
        enterOuterAlt(_localctx, 10);
        setState(616);
        libcall();
        break;
      }

      case VrirParser::AllocTok: {
        enterOuterAlt(_localctx, 11);
        setState(617);
        alloc();
        break;
      }

      case VrirParser::DimTok: {
        enterOuterAlt(_localctx, 12);
        setState(618);
        dim();
        break;
      }

      case VrirParser::DimvecTok: {
        enterOuterAlt(_localctx, 13);
        setState(619);
        dimvec();
        break;
      }

      case VrirParser::TupleTok: {
        enterOuterAlt(_localctx, 14);
        setState(620);
        tuple();
        break;
      }

      case VrirParser::TupleIndexTok: {
        enterOuterAlt(_localctx, 15);
        setState(621);
        tupleindex();
        break;
      }

      case VrirParser::ComplexTok: {
        enterOuterAlt(_localctx, 16);
        setState(622);
        complexexpr();
        break;
      }

      case VrirParser::RealTok: {
        enterOuterAlt(_localctx, 17);
        setState(623);
        realexpr();
        break;
      }

      case VrirParser::ImagTok: {
        enterOuterAlt(_localctx, 18);
        setState(624);
        imagexpr();
        break;
      }

      case VrirParser::RangeTok: {
        enterOuterAlt(_localctx, 19);
        setState(625);
        range();
        break;
      }

      case VrirParser::DomainTok: {
        enterOuterAlt(_localctx, 20);
        setState(626);
        domain();
        break;
      }

      case VrirParser::XchangeTok: {
        enterOuterAlt(_localctx, 21);
        setState(627);
        xchange();
        break;
      }

      case VrirParser::Lp:
      case VrirParser::VoidTok: {
        enterOuterAlt(_localctx, 22);
        setState(628);
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
  enterRule(_localctx, 92, VrirParser::RuleBinary);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(631);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VrirParser::PlusTok)
      | (1ULL << VrirParser::MinusTok)
      | (1ULL << VrirParser::MultTok)
      | (1ULL << VrirParser::DivTok)
      | (1ULL << VrirParser::LtTok)
      | (1ULL << VrirParser::LeqTok)
      | (1ULL << VrirParser::GtTok)
      | (1ULL << VrirParser::GeqTok)
      | (1ULL << VrirParser::EqTok)
      | (1ULL << VrirParser::NeqTok))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(632);
    vtype();
    setState(633);
    lhsOperand();
    setState(634);
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
  enterRule(_localctx, 94, VrirParser::RuleLhsOperand);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(636);
    match(VrirParser::Lp);
    setState(637);
    match(VrirParser::LhsTok);
    setState(638);
    expr();
    setState(639);
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
  enterRule(_localctx, 96, VrirParser::RuleRhsOperand);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(641);
    match(VrirParser::Lp);
    setState(642);
    match(VrirParser::RhsTok);
    setState(643);
    expr();
    setState(644);
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
  enterRule(_localctx, 98, VrirParser::RuleLogic);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(646);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AndTok

    || _la == VrirParser::OrTok)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(647);
    vtype();
    setState(648);
    operand();
    setState(649);
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
  enterRule(_localctx, 100, VrirParser::RuleOperand);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(651);
    match(VrirParser::Lp);
    setState(657);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::LhsTok: {
        setState(652);
        match(VrirParser::LhsTok);
        setState(653);
        expr();
        break;
      }

      case VrirParser::RhsTok: {
        setState(654);
        match(VrirParser::RhsTok);
        setState(655);
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
        setState(656);
        exprBody();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(659);
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
  enterRule(_localctx, 102, VrirParser::RuleUnary);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(661);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VrirParser::NotTok)
      | (1ULL << VrirParser::NegateTok)
      | (1ULL << VrirParser::CastTok))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(662);
    vtype();
    setState(663);
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
  enterRule(_localctx, 104, VrirParser::RuleUnaryplus);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(665);
    vtype();
    setState(666);
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
  enterRule(_localctx, 106, VrirParser::RuleName);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(668);
    match(VrirParser::NameTok);
    setState(669);
    match(VrirParser::AttrId);
    setState(670);
    match(VrirParser::Intval);
    setState(671);
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
  enterRule(_localctx, 108, VrirParser::RuleRealconst);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(673);
    match(VrirParser::RealConstTok);
    setState(678);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrIval: {
        setState(674);
        match(VrirParser::AttrIval);
        setState(675);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrDval:
      case VrirParser::AttrFval: {
        setState(676);
        _la = _input->LA(1);
        if (!(_la == VrirParser::AttrDval

        || _la == VrirParser::AttrFval)) {
        _errHandler->recoverInline(this);
        }
        else {
          _errHandler->reportMatch(this);
          consume();
        }
        setState(677);
        number();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(680);
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
  enterRule(_localctx, 110, VrirParser::RuleComplexconst);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(682);
    match(VrirParser::ComplexConstTok);
    setState(686);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrRe

    || _la == VrirParser::AttrIm) {
      setState(683);
      complexAttr();
      setState(688);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(689);
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
  enterRule(_localctx, 112, VrirParser::RuleComplexAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(691);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrRe

    || _la == VrirParser::AttrIm)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(692);
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
  enterRule(_localctx, 114, VrirParser::RuleIndexexpr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(694);
    match(VrirParser::IndexTok);
    setState(698);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 91) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 91)) & ((1ULL << (VrirParser::AttrFlatten - 91))
      | (1ULL << (VrirParser::AttrGrow - 91))
      | (1ULL << (VrirParser::AttrArrayid - 91))
      | (1ULL << (VrirParser::AttrCopyslice - 91)))) != 0)) {
      setState(695);
      indexAttr();
      setState(700);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(701);
    vtype();
    setState(702);
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
  enterRule(_localctx, 116, VrirParser::RuleIndexAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(712);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrArrayid: {
        enterOuterAlt(_localctx, 1);
        setState(704);
        match(VrirParser::AttrArrayid);
        setState(705);
        match(VrirParser::Intval);
        break;
      }

      case VrirParser::AttrCopyslice: {
        enterOuterAlt(_localctx, 2);
        setState(706);
        match(VrirParser::AttrCopyslice);
        setState(707);
        boolval();
        break;
      }

      case VrirParser::AttrFlatten: {
        enterOuterAlt(_localctx, 3);
        setState(708);
        match(VrirParser::AttrFlatten);
        setState(709);
        boolval();
        break;
      }

      case VrirParser::AttrGrow: {
        enterOuterAlt(_localctx, 4);
        setState(710);
        match(VrirParser::AttrGrow);
        setState(711);
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
  enterRule(_localctx, 118, VrirParser::RuleIndices);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(714);
    match(VrirParser::Lp);
    setState(715);
    match(VrirParser::IndicesTok);
    setState(717); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(716);
      aindex();
      setState(719); 
      _errHandler->sync(this);
      _la = _input->LA(1);
    } while (_la == VrirParser::Lp);
    setState(721);
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
  enterRule(_localctx, 120, VrirParser::RuleAindex);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(723);
    match(VrirParser::Lp);
    setState(724);
    match(VrirParser::IndexTok);
    setState(728);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 92) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 92)) & ((1ULL << (VrirParser::AttrGrow - 92))
      | (1ULL << (VrirParser::AttrBoundscheck - 92))
      | (1ULL << (VrirParser::AttrNegative - 92))
      | (1ULL << (VrirParser::AttrMinBounds - 92))
      | (1ULL << (VrirParser::AttrMaxBounds - 92)))) != 0)) {
      setState(725);
      aindexAttr();
      setState(730);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(731);
    expr();
    setState(732);
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
  enterRule(_localctx, 122, VrirParser::RuleAindexAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(734);
    _la = _input->LA(1);
    if (!(((((_la - 92) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 92)) & ((1ULL << (VrirParser::AttrGrow - 92))
      | (1ULL << (VrirParser::AttrBoundscheck - 92))
      | (1ULL << (VrirParser::AttrNegative - 92))
      | (1ULL << (VrirParser::AttrMinBounds - 92))
      | (1ULL << (VrirParser::AttrMaxBounds - 92)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(735);
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
  enterRule(_localctx, 124, VrirParser::RuleFncall);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(737);
    match(VrirParser::FncallTok);
    setState(738);
    match(VrirParser::AttrFnname);
    setState(739);
    text();
    setState(740);
    vtype();
    setState(741);
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
  enterRule(_localctx, 126, VrirParser::RuleFnhandle);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(743);
    match(VrirParser::FnhandleTok);
    setState(744);
    match(VrirParser::AttrFnname);
    setState(745);
    text();
    setState(746);
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
  enterRule(_localctx, 128, VrirParser::RuleLibcall);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(748);
    match(VrirParser::LibcallTok);
    setState(749);
    match(VrirParser::AttrLibfunc);
    setState(750);
    text();
    setState(751);
    vtype();
    setState(752);
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
  enterRule(_localctx, 130, VrirParser::RuleAlloc);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(754);
    match(VrirParser::AllocTok);
    setState(755);
    match(VrirParser::AttrFunc);
    setState(756);
    text();
    setState(757);
    vtype();
    setState(758);
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
  enterRule(_localctx, 132, VrirParser::RuleArgs);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(760);
    match(VrirParser::Lp);
    setState(761);
    match(VrirParser::ArgsTok);
    setState(765);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(762);
      expr();
      setState(767);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(768);
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
  enterRule(_localctx, 134, VrirParser::RuleDim);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(770);
    match(VrirParser::DimTok);
    setState(774);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrArrayid

    || _la == VrirParser::AttrDimid) {
      setState(771);
      dimAttr();
      setState(776);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(777);
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
  enterRule(_localctx, 136, VrirParser::RuleDimAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(779);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrArrayid

    || _la == VrirParser::AttrDimid)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(780);
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
  enterRule(_localctx, 138, VrirParser::RuleDimvec);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(782);
    match(VrirParser::DimvecTok);
    setState(783);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrId

    || _la == VrirParser::AttrArrayid)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(784);
    match(VrirParser::Intval);
    setState(785);
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
  enterRule(_localctx, 140, VrirParser::RuleTuple);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(787);
    match(VrirParser::TupleTok);
    setState(788);
    vtype();
    setState(789);
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
  enterRule(_localctx, 142, VrirParser::RuleElems);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(791);
    match(VrirParser::Lp);
    setState(792);
    _la = _input->LA(1);
    if (!(_la == VrirParser::ElemsTok

    || _la == VrirParser::ElmsTok)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(796);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(793);
      expr();
      setState(798);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(799);
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
  enterRule(_localctx, 144, VrirParser::RuleTupleindex);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(801);
    match(VrirParser::TupleIndexTok);
    setState(805);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrIndex

    || _la == VrirParser::AttrTupleid) {
      setState(802);
      tupleindexAttr();
      setState(807);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(808);
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
  enterRule(_localctx, 146, VrirParser::RuleTupleindexAttr);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(810);
    _la = _input->LA(1);
    if (!(_la == VrirParser::AttrIndex

    || _la == VrirParser::AttrTupleid)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(811);
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
  enterRule(_localctx, 148, VrirParser::RuleComplexexpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(813);
    match(VrirParser::ComplexTok);
    setState(814);
    vtype();
    setState(815);
    expr();
    setState(816);
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
  enterRule(_localctx, 150, VrirParser::RuleRealexpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(818);
    match(VrirParser::RealTok);
    setState(819);
    match(VrirParser::AttrId);
    setState(820);
    match(VrirParser::Intval);
    setState(821);
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
  enterRule(_localctx, 152, VrirParser::RuleImagexpr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(823);
    match(VrirParser::ImagTok);
    setState(824);
    match(VrirParser::AttrId);
    setState(825);
    match(VrirParser::Intval);
    setState(826);
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
  enterRule(_localctx, 154, VrirParser::RuleRange);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(828);
    match(VrirParser::RangeTok);
    setState(831);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VrirParser::AttrExclude) {
      setState(829);
      match(VrirParser::AttrExclude);
      setState(830);
      boolval();
    }
    setState(836);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::Lp) {
      setState(833);
      rangePart();
      setState(838);
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
  enterRule(_localctx, 156, VrirParser::RuleRangePart);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(839);
    match(VrirParser::Lp);
    setState(847);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::StartTok: {
        setState(840);
        match(VrirParser::StartTok);
        setState(841);
        expr();
        break;
      }

      case VrirParser::StepTok: {
        setState(842);
        match(VrirParser::StepTok);
        setState(843);
        expr();
        break;
      }

      case VrirParser::StopTok: {
        setState(844);
        match(VrirParser::StopTok);
        setState(845);
        expr();
        break;
      }

      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
      case VrirParser::Float32Tok:
      case VrirParser::Float64Tok:
      case VrirParser::BoolTok:
      case VrirParser::ArrayTypeTok:
      case VrirParser::TupleTypeTok:
      case VrirParser::DomainTypeTok:
      case VrirParser::FnTypeTok: {
        setState(846);
        typeBody();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(849);
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
  enterRule(_localctx, 158, VrirParser::RuleDomain);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(851);
    match(VrirParser::DomainTok);
    setState(852);
    vtype();
    setState(854); 
    _errHandler->sync(this);
    _la = _input->LA(1);
    do {
      setState(853);
      domainRange();
      setState(856); 
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
  enterRule(_localctx, 160, VrirParser::RuleDomainRange);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(858);
    match(VrirParser::Lp);
    setState(859);
    range();
    setState(860);
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
  enterRule(_localctx, 162, VrirParser::RuleXchange);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(862);
    match(VrirParser::XchangeTok);
    setState(866);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VrirParser::AttrArrayid

    || _la == VrirParser::AttrOp) {
      setState(863);
      xchangeAttr();
      setState(868);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(869);
    vtype();
    setState(870);
    indices();
    setState(871);
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
  enterRule(_localctx, 164, VrirParser::RuleXchangeAttr);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(877);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::AttrOp: {
        enterOuterAlt(_localctx, 1);
        setState(873);
        match(VrirParser::AttrOp);
        setState(874);
        text();
        break;
      }

      case VrirParser::AttrArrayid: {
        enterOuterAlt(_localctx, 2);
        setState(875);
        match(VrirParser::AttrArrayid);
        setState(876);
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
  enterRule(_localctx, 166, VrirParser::RuleBoolval);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(879);
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
  enterRule(_localctx, 168, VrirParser::RuleNumber);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(881);
    _la = _input->LA(1);
    if (!(((((_la - 86) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 86)) & ((1ULL << (VrirParser::InfTok - 86))
      | (1ULL << (VrirParser::NanTok - 86))
      | (1ULL << (VrirParser::Intval - 86))
      | (1ULL << (VrirParser::Floatval - 86)))) != 0))) {
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
  enterRule(_localctx, 170, VrirParser::RuleText);

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    setState(885);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VrirParser::ModuleTok:
      case VrirParser::FnsTok:
      case VrirParser::FunctionTok:
      case VrirParser::ArglistTok:
      case VrirParser::ArgTok:
      case VrirParser::SymtableTok:
      case VrirParser::SymTok:
      case VrirParser::BodyTok:
      case VrirParser::VoidTok:
      case VrirParser::VtypeTok:
      case VrirParser::NullTok:
      case VrirParser::Int32Tok:
      case VrirParser::Int64Tok:
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
        setState(883);
        word();
        break;
      }

      case VrirParser::String: {
        enterOuterAlt(_localctx, 2);
        setState(884);
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

tree::TerminalNode* VrirParser::WordContext::Int32Tok() {
  return getToken(VrirParser::Int32Tok, 0);
}

tree::TerminalNode* VrirParser::WordContext::Int64Tok() {
  return getToken(VrirParser::Int64Tok, 0);
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
  enterRule(_localctx, 172, VrirParser::RuleWord);
  size_t _la = 0;

  auto onExit = finally([=] {
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(887);
    _la = _input->LA(1);
    if (!(((((_la - 3) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 3)) & ((1ULL << (VrirParser::ModuleTok - 3))
      | (1ULL << (VrirParser::FnsTok - 3))
      | (1ULL << (VrirParser::FunctionTok - 3))
      | (1ULL << (VrirParser::ArglistTok - 3))
      | (1ULL << (VrirParser::ArgTok - 3))
      | (1ULL << (VrirParser::SymtableTok - 3))
      | (1ULL << (VrirParser::SymTok - 3))
      | (1ULL << (VrirParser::BodyTok - 3))
      | (1ULL << (VrirParser::VoidTok - 3))
      | (1ULL << (VrirParser::VtypeTok - 3))
      | (1ULL << (VrirParser::NullTok - 3))
      | (1ULL << (VrirParser::Int32Tok - 3))
      | (1ULL << (VrirParser::Int64Tok - 3))
      | (1ULL << (VrirParser::Float32Tok - 3))
      | (1ULL << (VrirParser::Float64Tok - 3))
      | (1ULL << (VrirParser::BoolTok - 3))
      | (1ULL << (VrirParser::ArrayTypeTok - 3))
      | (1ULL << (VrirParser::TupleTypeTok - 3))
      | (1ULL << (VrirParser::DomainTypeTok - 3))
      | (1ULL << (VrirParser::FnTypeTok - 3))
      | (1ULL << (VrirParser::IntypesTok - 3))
      | (1ULL << (VrirParser::OuttypesTok - 3))
      | (1ULL << (VrirParser::AssignstmtTok - 3))
      | (1ULL << (VrirParser::StmtlistTok - 3))
      | (1ULL << (VrirParser::ForstmtTok - 3))
      | (1ULL << (VrirParser::PforstmtTok - 3))
      | (1ULL << (VrirParser::WhilestmtTok - 3))
      | (1ULL << (VrirParser::IfstmtTok - 3))
      | (1ULL << (VrirParser::BreakTok - 3))
      | (1ULL << (VrirParser::ContinueTok - 3))
      | (1ULL << (VrirParser::ReturnstmtTok - 3))
      | (1ULL << (VrirParser::ExprstmtTok - 3))
      | (1ULL << (VrirParser::LhsTok - 3))
      | (1ULL << (VrirParser::RhsTok - 3))
      | (1ULL << (VrirParser::StmtsTok - 3))
      | (1ULL << (VrirParser::ItervarsTok - 3))
      | (1ULL << (VrirParser::LoopDomainTok - 3))
      | (1ULL << (VrirParser::SharedTok - 3))
      | (1ULL << (VrirParser::AutoTok - 3))
      | (1ULL << (VrirParser::TestTok - 3))
      | (1ULL << (VrirParser::IfTok - 3))
      | (1ULL << (VrirParser::ElseTok - 3))
      | (1ULL << (VrirParser::ExprsTok - 3))
      | (1ULL << (VrirParser::PlusTok - 3))
      | (1ULL << (VrirParser::MinusTok - 3))
      | (1ULL << (VrirParser::MultTok - 3))
      | (1ULL << (VrirParser::DivTok - 3))
      | (1ULL << (VrirParser::LtTok - 3))
      | (1ULL << (VrirParser::LeqTok - 3))
      | (1ULL << (VrirParser::GtTok - 3))
      | (1ULL << (VrirParser::GeqTok - 3))
      | (1ULL << (VrirParser::EqTok - 3))
      | (1ULL << (VrirParser::NeqTok - 3))
      | (1ULL << (VrirParser::AndTok - 3))
      | (1ULL << (VrirParser::OrTok - 3))
      | (1ULL << (VrirParser::NotTok - 3))
      | (1ULL << (VrirParser::NegateTok - 3))
      | (1ULL << (VrirParser::CastTok - 3))
      | (1ULL << (VrirParser::NameTok - 3))
      | (1ULL << (VrirParser::RealConstTok - 3))
      | (1ULL << (VrirParser::ComplexConstTok - 3))
      | (1ULL << (VrirParser::IndexTok - 3))
      | (1ULL << (VrirParser::IndicesTok - 3))
      | (1ULL << (VrirParser::FncallTok - 3)))) != 0) || ((((_la - 67) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 67)) & ((1ULL << (VrirParser::FnhandleTok - 67))
      | (1ULL << (VrirParser::LibcallTok - 67))
      | (1ULL << (VrirParser::ArgsTok - 67))
      | (1ULL << (VrirParser::AllocTok - 67))
      | (1ULL << (VrirParser::DimTok - 67))
      | (1ULL << (VrirParser::DimvecTok - 67))
      | (1ULL << (VrirParser::TupleTok - 67))
      | (1ULL << (VrirParser::ElemsTok - 67))
      | (1ULL << (VrirParser::ElmsTok - 67))
      | (1ULL << (VrirParser::TupleIndexTok - 67))
      | (1ULL << (VrirParser::ComplexTok - 67))
      | (1ULL << (VrirParser::RealTok - 67))
      | (1ULL << (VrirParser::ImagTok - 67))
      | (1ULL << (VrirParser::RangeTok - 67))
      | (1ULL << (VrirParser::StartTok - 67))
      | (1ULL << (VrirParser::StepTok - 67))
      | (1ULL << (VrirParser::StopTok - 67))
      | (1ULL << (VrirParser::DomainTok - 67))
      | (1ULL << (VrirParser::XchangeTok - 67))
      | (1ULL << (VrirParser::InfTok - 67))
      | (1ULL << (VrirParser::NanTok - 67))
      | (1ULL << (VrirParser::Name - 67)))) != 0))) {
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
  "elseBody", "breakstmt", "continuestmt", "returnstmt", "exprstmt", "expr", 
  "exprBody", "binary", "lhsOperand", "rhsOperand", "logic", "operand", 
  "unary", "unaryplus", "name", "realconst", "complexconst", "complexAttr", 
  "indexexpr", "indexAttr", "indices", "aindex", "aindexAttr", "fncall", 
  "fnhandle", "libcall", "alloc", "args", "dim", "dimAttr", "dimvec", "tuple", 
  "elems", "tupleindex", "tupleindexAttr", "complexexpr", "realexpr", "imagexpr", 
  "range", "rangePart", "domain", "domainRange", "xchange", "xchangeAttr", 
  "boolval", "number", "text", "word"
};

std::vector<std::string> VrirParser::_literalNames = {
  "", "'('", "')'", "'module'", "'fns'", "'function'", "'arglist'", "'arg'", 
  "'symtable'", "'sym'", "'body'", "'void'", "'vtype'", "'null'", "'int32'", 
  "'int64'", "'float32'", "'float64'", "'bool'", "'arraytype'", "'tupletype'", 
  "'domaintype'", "'functype'", "'intypes'", "'outtypes'", "'assignstmt'", 
  "'stmtlist'", "'forstmt'", "'pforstmt'", "'whilestmt'", "'ifstmt'", "'break'", 
  "'continue'", "'returnstmt'", "'exprstmt'", "'lhs'", "'rhs'", "'stmts'", 
  "'itervars'", "'loopdomain'", "'shared'", "'auto'", "'test'", "'if'", 
  "'else'", "'exprs'", "'plus'", "'minus'", "'mult'", "'div'", "'lt'", "'leq'", 
  "'gt'", "'geq'", "'eq'", "'neq'", "'and'", "'or'", "'not'", "'negate'", 
  "'cast'", "'name'", "'realconst'", "'complexconst'", "'index'", "'indices'", 
  "'fncall'", "'fnhandle'", "'libcall'", "'args'", "'alloc'", "'dim'", "'dimvec'", 
  "'tuple'", "'elems'", "'elms'", "'tupleindex'", "'complex'", "'real'", 
  "'imag'", "'range'", "'start'", "'step'", "'stop'", "'domain'", "'xchange'", 
  "'inf'", "'nan'", "':name'", "':indexing'", "':exclude'", "':flatten'", 
  "':grow'", "':assign'", "':slices'", "':nan'", "':memory'", "':mindims'", 
  "':fastmath'", "':broadcast'", "':vrir'", "':loc'", "':id'", "':ctype'", 
  "':layout'", "':ndims'", "':onGpu'", "':shared'", "':ival'", "':dval'", 
  "':fval'", "':re'", "':im'", "':arrayid'", "':copyslice'", "':boundscheck'", 
  "':negative'", "':minbounds'", "':maxbounds'", "':fnname'", "':libfunc'", 
  "':func'", "':dimid'", "':index'", "':tupleid'", "':op'", "", "'%1'", 
  "'%0'"
};

std::vector<std::string> VrirParser::_symbolicNames = {
  "", "Lp", "Rp", "ModuleTok", "FnsTok", "FunctionTok", "ArglistTok", "ArgTok", 
  "SymtableTok", "SymTok", "BodyTok", "VoidTok", "VtypeTok", "NullTok", 
  "Int32Tok", "Int64Tok", "Float32Tok", "Float64Tok", "BoolTok", "ArrayTypeTok", 
  "TupleTypeTok", "DomainTypeTok", "FnTypeTok", "IntypesTok", "OuttypesTok", 
  "AssignstmtTok", "StmtlistTok", "ForstmtTok", "PforstmtTok", "WhilestmtTok", 
  "IfstmtTok", "BreakTok", "ContinueTok", "ReturnstmtTok", "ExprstmtTok", 
  "LhsTok", "RhsTok", "StmtsTok", "ItervarsTok", "LoopDomainTok", "SharedTok", 
  "AutoTok", "TestTok", "IfTok", "ElseTok", "ExprsTok", "PlusTok", "MinusTok", 
  "MultTok", "DivTok", "LtTok", "LeqTok", "GtTok", "GeqTok", "EqTok", "NeqTok", 
  "AndTok", "OrTok", "NotTok", "NegateTok", "CastTok", "NameTok", "RealConstTok", 
  "ComplexConstTok", "IndexTok", "IndicesTok", "FncallTok", "FnhandleTok", 
  "LibcallTok", "ArgsTok", "AllocTok", "DimTok", "DimvecTok", "TupleTok", 
  "ElemsTok", "ElmsTok", "TupleIndexTok", "ComplexTok", "RealTok", "ImagTok", 
  "RangeTok", "StartTok", "StepTok", "StopTok", "DomainTok", "XchangeTok", 
  "InfTok", "NanTok", "AttrName", "AttrIndexing", "AttrExclude", "AttrFlatten", 
  "AttrGrow", "AttrAssign", "AttrSlices", "AttrNan", "AttrMemory", "AttrMindims", 
  "AttrFastmath", "AttrBroadcast", "AttrVrir", "AttrLoc", "AttrId", "AttrCtype", 
  "AttrLayout", "AttrNdims", "AttrOnGpu", "AttrShared", "AttrIval", "AttrDval", 
  "AttrFval", "AttrRe", "AttrIm", "AttrArrayid", "AttrCopyslice", "AttrBoundscheck", 
  "AttrNegative", "AttrMinBounds", "AttrMaxBounds", "AttrFnname", "AttrLibfunc", 
  "AttrFunc", "AttrDimid", "AttrIndex", "AttrTupleid", "AttrOp", "AttrUnknown", 
  "TrueTok", "FalseTok", "Name", "Intval", "Floatval", "String", "Comment", 
  "WS", "Junk", "ModuleText"
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
    0x3, 0x8a, 0x37c, 0x4, 0x2, 0x9, 0x2, 0x4, 0x3, 0x9, 0x3, 0x4, 0x4, 
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
    0x9, 0x56, 0x4, 0x57, 0x9, 0x57, 0x4, 0x58, 0x9, 0x58, 0x3, 0x2, 0x3, 
    0x2, 0x3, 0x2, 0x7, 0x2, 0xb4, 0xa, 0x2, 0xc, 0x2, 0xe, 0x2, 0xb7, 0xb, 
    0x2, 0x3, 0x2, 0x3, 0x2, 0x3, 0x2, 0x7, 0x2, 0xbc, 0xa, 0x2, 0xc, 0x2, 
    0xe, 0x2, 0xbf, 0xb, 0x2, 0x3, 0x2, 0x3, 0x2, 0x3, 0x2, 0x3, 0x2, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x3, 0x6, 0x3, 0xdc, 0xa, 0x3, 0xd, 0x3, 0xe, 0x3, 0xdd, 0x3, 
    0x3, 0x3, 0x3, 0x7, 0x3, 0xe2, 0xa, 0x3, 0xc, 0x3, 0xe, 0x3, 0xe5, 0xb, 
    0x3, 0x3, 0x3, 0x5, 0x3, 0xe8, 0xa, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 
    0x3, 0x3, 0x5, 0x3, 0xee, 0xa, 0x3, 0x3, 0x4, 0x3, 0x4, 0x5, 0x4, 0xf2, 
    0xa, 0x4, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x5, 0x5, 0xf7, 0xa, 0x5, 0x3, 
    0x5, 0x5, 0x5, 0xfa, 0xa, 0x5, 0x3, 0x5, 0x3, 0x5, 0x5, 0x5, 0xfe, 0xa, 
    0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 
    0x6, 0x3, 0x6, 0x3, 0x6, 0x3, 0x7, 0x3, 0x7, 0x3, 0x7, 0x7, 0x7, 0x10c, 
    0xa, 0x7, 0xc, 0x7, 0xe, 0x7, 0x10f, 0xb, 0x7, 0x3, 0x7, 0x3, 0x7, 0x3, 
    0x8, 0x3, 0x8, 0x3, 0x8, 0x3, 0x8, 0x3, 0x8, 0x3, 0x8, 0x5, 0x8, 0x119, 
    0xa, 0x8, 0x3, 0x9, 0x3, 0x9, 0x3, 0x9, 0x7, 0x9, 0x11e, 0xa, 0x9, 0xc, 
    0x9, 0xe, 0x9, 0x121, 0xb, 0x9, 0x3, 0x9, 0x3, 0x9, 0x3, 0xa, 0x3, 0xa, 
    0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 0x3, 0xa, 
    0x3, 0xb, 0x3, 0xb, 0x3, 0xb, 0x7, 0xb, 0x131, 0xa, 0xb, 0xc, 0xb, 0xe, 
    0xb, 0x134, 0xb, 0xb, 0x3, 0xb, 0x3, 0xb, 0x3, 0xc, 0x3, 0xc, 0x3, 0xc, 
    0x3, 0xc, 0x3, 0xc, 0x5, 0xc, 0x13d, 0xa, 0xc, 0x3, 0xd, 0x3, 0xd, 0x3, 
    0xd, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 0x5, 0xd, 0x146, 0xa, 0xd, 
    0x3, 0xe, 0x3, 0xe, 0x3, 0xe, 0x5, 0xe, 0x14b, 0xa, 0xe, 0x3, 0xf, 0x3, 
    0xf, 0x7, 0xf, 0x14f, 0xa, 0xf, 0xc, 0xf, 0xe, 0xf, 0x152, 0xb, 0xf, 
    0x3, 0xf, 0x3, 0xf, 0x3, 0x10, 0x3, 0x10, 0x3, 0x10, 0x3, 0x10, 0x5, 
    0x10, 0x15a, 0xa, 0x10, 0x3, 0x11, 0x3, 0x11, 0x7, 0x11, 0x15e, 0xa, 
    0x11, 0xc, 0x11, 0xe, 0x11, 0x161, 0xb, 0x11, 0x3, 0x12, 0x3, 0x12, 
    0x3, 0x12, 0x5, 0x12, 0x166, 0xa, 0x12, 0x3, 0x12, 0x6, 0x12, 0x169, 
    0xa, 0x12, 0xd, 0x12, 0xe, 0x12, 0x16a, 0x3, 0x13, 0x3, 0x13, 0x7, 0x13, 
    0x16f, 0xa, 0x13, 0xc, 0x13, 0xe, 0x13, 0x172, 0xb, 0x13, 0x3, 0x14, 
    0x3, 0x14, 0x3, 0x14, 0x7, 0x14, 0x177, 0xa, 0x14, 0xc, 0x14, 0xe, 0x14, 
    0x17a, 0xb, 0x14, 0x3, 0x14, 0x3, 0x14, 0x7, 0x14, 0x17e, 0xa, 0x14, 
    0xc, 0x14, 0xe, 0x14, 0x181, 0xb, 0x14, 0x3, 0x14, 0x5, 0x14, 0x184, 
    0xa, 0x14, 0x3, 0x14, 0x3, 0x14, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 
    0x15, 0x5, 0x15, 0x18c, 0xa, 0x15, 0x3, 0x16, 0x3, 0x16, 0x3, 0x16, 
    0x5, 0x16, 0x191, 0xa, 0x16, 0x3, 0x17, 0x3, 0x17, 0x3, 0x17, 0x3, 0x17, 
    0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 
    0x18, 0x3, 0x18, 0x3, 0x18, 0x3, 0x18, 0x5, 0x18, 0x1a1, 0xa, 0x18, 
    0x3, 0x19, 0x3, 0x19, 0x5, 0x19, 0x1a5, 0xa, 0x19, 0x3, 0x19, 0x3, 0x19, 
    0x3, 0x19, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x7, 0x1a, 0x1ad, 0xa, 0x1a, 
    0xc, 0x1a, 0xe, 0x1a, 0x1b0, 0xb, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1b, 
    0x3, 0x1b, 0x3, 0x1b, 0x5, 0x1b, 0x1b7, 0xa, 0x1b, 0x3, 0x1b, 0x3, 0x1b, 
    0x3, 0x1c, 0x3, 0x1c, 0x7, 0x1c, 0x1bd, 0xa, 0x1c, 0xc, 0x1c, 0xe, 0x1c, 
    0x1c0, 0xb, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x7, 0x1c, 0x1c5, 
    0xa, 0x1c, 0xc, 0x1c, 0xe, 0x1c, 0x1c8, 0xb, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 
    0x3, 0x1d, 0x3, 0x1d, 0x3, 0x1d, 0x5, 0x1d, 0x1cf, 0xa, 0x1d, 0x3, 0x1e, 
    0x3, 0x1e, 0x5, 0x1e, 0x1d3, 0xa, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 
    0x3, 0x1e, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x1f, 0x6, 0x1f, 0x1dc, 0xa, 0x1f, 
    0xd, 0x1f, 0xe, 0x1f, 0x1dd, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x20, 0x3, 0x20, 
    0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x5, 0x20, 0x1e8, 0xa, 0x20, 
    0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x22, 0x3, 
    0x22, 0x7, 0x22, 0x1f1, 0xa, 0x22, 0xc, 0x22, 0xe, 0x22, 0x1f4, 0xb, 
    0x22, 0x3, 0x22, 0x3, 0x22, 0x3, 0x22, 0x6, 0x22, 0x1f9, 0xa, 0x22, 
    0xd, 0x22, 0xe, 0x22, 0x1fa, 0x3, 0x23, 0x3, 0x23, 0x3, 0x23, 0x5, 0x23, 
    0x200, 0xa, 0x23, 0x3, 0x24, 0x3, 0x24, 0x3, 0x24, 0x3, 0x24, 0x7, 0x24, 
    0x206, 0xa, 0x24, 0xc, 0x24, 0xe, 0x24, 0x209, 0xb, 0x24, 0x5, 0x24, 
    0x20b, 0xa, 0x24, 0x3, 0x24, 0x3, 0x24, 0x7, 0x24, 0x20f, 0xa, 0x24, 
    0xc, 0x24, 0xe, 0x24, 0x212, 0xb, 0x24, 0x5, 0x24, 0x214, 0xa, 0x24, 
    0x3, 0x24, 0x3, 0x24, 0x3, 0x25, 0x3, 0x25, 0x5, 0x25, 0x21a, 0xa, 0x25, 
    0x3, 0x25, 0x3, 0x25, 0x3, 0x25, 0x3, 0x26, 0x3, 0x26, 0x3, 0x26, 0x3, 
    0x26, 0x3, 0x26, 0x3, 0x27, 0x3, 0x27, 0x5, 0x27, 0x226, 0xa, 0x27, 
    0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 0x5, 0x27, 0x22b, 0xa, 0x27, 0x3, 0x28, 
    0x3, 0x28, 0x3, 0x28, 0x7, 0x28, 0x230, 0xa, 0x28, 0xc, 0x28, 0xe, 0x28, 
    0x233, 0xb, 0x28, 0x3, 0x28, 0x3, 0x28, 0x3, 0x29, 0x3, 0x29, 0x3, 0x29, 
    0x7, 0x29, 0x23a, 0xa, 0x29, 0xc, 0x29, 0xe, 0x29, 0x23d, 0xb, 0x29, 
    0x3, 0x29, 0x3, 0x29, 0x3, 0x2a, 0x3, 0x2a, 0x5, 0x2a, 0x243, 0xa, 0x2a, 
    0x3, 0x2b, 0x3, 0x2b, 0x5, 0x2b, 0x247, 0xa, 0x2b, 0x3, 0x2c, 0x3, 0x2c, 
    0x5, 0x2c, 0x24b, 0xa, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x7, 0x2c, 
    0x250, 0xa, 0x2c, 0xc, 0x2c, 0xe, 0x2c, 0x253, 0xb, 0x2c, 0x3, 0x2c, 
    0x5, 0x2c, 0x256, 0xa, 0x2c, 0x3, 0x2d, 0x3, 0x2d, 0x5, 0x2d, 0x25a, 
    0xa, 0x2d, 0x3, 0x2d, 0x3, 0x2d, 0x3, 0x2e, 0x3, 0x2e, 0x3, 0x2e, 0x3, 
    0x2e, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 
    0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 
    0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 
    0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x5, 0x2f, 0x278, 0xa, 0x2f, 0x3, 0x30, 
    0x3, 0x30, 0x3, 0x30, 0x3, 0x30, 0x3, 0x30, 0x3, 0x31, 0x3, 0x31, 0x3, 
    0x31, 0x3, 0x31, 0x3, 0x31, 0x3, 0x32, 0x3, 0x32, 0x3, 0x32, 0x3, 0x32, 
    0x3, 0x32, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 
    0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x34, 0x5, 0x34, 
    0x294, 0xa, 0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x35, 0x3, 0x35, 0x3, 0x35, 
    0x3, 0x35, 0x3, 0x36, 0x3, 0x36, 0x3, 0x36, 0x3, 0x37, 0x3, 0x37, 0x3, 
    0x37, 0x3, 0x37, 0x3, 0x37, 0x3, 0x38, 0x3, 0x38, 0x3, 0x38, 0x3, 0x38, 
    0x3, 0x38, 0x5, 0x38, 0x2a9, 0xa, 0x38, 0x3, 0x38, 0x3, 0x38, 0x3, 0x39, 
    0x3, 0x39, 0x7, 0x39, 0x2af, 0xa, 0x39, 0xc, 0x39, 0xe, 0x39, 0x2b2, 
    0xb, 0x39, 0x3, 0x39, 0x3, 0x39, 0x3, 0x3a, 0x3, 0x3a, 0x3, 0x3a, 0x3, 
    0x3b, 0x3, 0x3b, 0x7, 0x3b, 0x2bb, 0xa, 0x3b, 0xc, 0x3b, 0xe, 0x3b, 
    0x2be, 0xb, 0x3b, 0x3, 0x3b, 0x3, 0x3b, 0x3, 0x3b, 0x3, 0x3c, 0x3, 0x3c, 
    0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x5, 
    0x3c, 0x2cb, 0xa, 0x3c, 0x3, 0x3d, 0x3, 0x3d, 0x3, 0x3d, 0x6, 0x3d, 
    0x2d0, 0xa, 0x3d, 0xd, 0x3d, 0xe, 0x3d, 0x2d1, 0x3, 0x3d, 0x3, 0x3d, 
    0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x7, 0x3e, 0x2d9, 0xa, 0x3e, 0xc, 0x3e, 
    0xe, 0x3e, 0x2dc, 0xb, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3f, 
    0x3, 0x3f, 0x3, 0x3f, 0x3, 0x40, 0x3, 0x40, 0x3, 0x40, 0x3, 0x40, 0x3, 
    0x40, 0x3, 0x40, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 
    0x3, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 
    0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x44, 
    0x3, 0x44, 0x3, 0x44, 0x7, 0x44, 0x2fe, 0xa, 0x44, 0xc, 0x44, 0xe, 0x44, 
    0x301, 0xb, 0x44, 0x3, 0x44, 0x3, 0x44, 0x3, 0x45, 0x3, 0x45, 0x7, 0x45, 
    0x307, 0xa, 0x45, 0xc, 0x45, 0xe, 0x45, 0x30a, 0xb, 0x45, 0x3, 0x45, 
    0x3, 0x45, 0x3, 0x46, 0x3, 0x46, 0x3, 0x46, 0x3, 0x47, 0x3, 0x47, 0x3, 
    0x47, 0x3, 0x47, 0x3, 0x47, 0x3, 0x48, 0x3, 0x48, 0x3, 0x48, 0x3, 0x48, 
    0x3, 0x49, 0x3, 0x49, 0x3, 0x49, 0x7, 0x49, 0x31d, 0xa, 0x49, 0xc, 0x49, 
    0xe, 0x49, 0x320, 0xb, 0x49, 0x3, 0x49, 0x3, 0x49, 0x3, 0x4a, 0x3, 0x4a, 
    0x7, 0x4a, 0x326, 0xa, 0x4a, 0xc, 0x4a, 0xe, 0x4a, 0x329, 0xb, 0x4a, 
    0x3, 0x4a, 0x3, 0x4a, 0x3, 0x4b, 0x3, 0x4b, 0x3, 0x4b, 0x3, 0x4c, 0x3, 
    0x4c, 0x3, 0x4c, 0x3, 0x4c, 0x3, 0x4c, 0x3, 0x4d, 0x3, 0x4d, 0x3, 0x4d, 
    0x3, 0x4d, 0x3, 0x4d, 0x3, 0x4e, 0x3, 0x4e, 0x3, 0x4e, 0x3, 0x4e, 0x3, 
    0x4e, 0x3, 0x4f, 0x3, 0x4f, 0x3, 0x4f, 0x5, 0x4f, 0x342, 0xa, 0x4f, 
    0x3, 0x4f, 0x7, 0x4f, 0x345, 0xa, 0x4f, 0xc, 0x4f, 0xe, 0x4f, 0x348, 
    0xb, 0x4f, 0x3, 0x50, 0x3, 0x50, 0x3, 0x50, 0x3, 0x50, 0x3, 0x50, 0x3, 
    0x50, 0x3, 0x50, 0x3, 0x50, 0x5, 0x50, 0x352, 0xa, 0x50, 0x3, 0x50, 
    0x3, 0x50, 0x3, 0x51, 0x3, 0x51, 0x3, 0x51, 0x6, 0x51, 0x359, 0xa, 0x51, 
    0xd, 0x51, 0xe, 0x51, 0x35a, 0x3, 0x52, 0x3, 0x52, 0x3, 0x52, 0x3, 0x52, 
    0x3, 0x53, 0x3, 0x53, 0x7, 0x53, 0x363, 0xa, 0x53, 0xc, 0x53, 0xe, 0x53, 
    0x366, 0xb, 0x53, 0x3, 0x53, 0x3, 0x53, 0x3, 0x53, 0x3, 0x53, 0x3, 0x54, 
    0x3, 0x54, 0x3, 0x54, 0x3, 0x54, 0x5, 0x54, 0x370, 0xa, 0x54, 0x3, 0x55, 
    0x3, 0x55, 0x3, 0x56, 0x3, 0x56, 0x3, 0x57, 0x3, 0x57, 0x5, 0x57, 0x378, 
    0xa, 0x57, 0x3, 0x58, 0x3, 0x58, 0x3, 0x58, 0x2, 0x2, 0x59, 0x2, 0x4, 
    0x6, 0x8, 0xa, 0xc, 0xe, 0x10, 0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c, 0x1e, 
    0x20, 0x22, 0x24, 0x26, 0x28, 0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x34, 0x36, 
    0x38, 0x3a, 0x3c, 0x3e, 0x40, 0x42, 0x44, 0x46, 0x48, 0x4a, 0x4c, 0x4e, 
    0x50, 0x52, 0x54, 0x56, 0x58, 0x5a, 0x5c, 0x5e, 0x60, 0x62, 0x64, 0x66, 
    0x68, 0x6a, 0x6c, 0x6e, 0x70, 0x72, 0x74, 0x76, 0x78, 0x7a, 0x7c, 0x7e, 
    0x80, 0x82, 0x84, 0x86, 0x88, 0x8a, 0x8c, 0x8e, 0x90, 0x92, 0x94, 0x96, 
    0x98, 0x9a, 0x9c, 0x9e, 0xa0, 0xa2, 0xa4, 0xa6, 0xa8, 0xaa, 0xac, 0xae, 
    0x2, 0x10, 0x3, 0x2, 0x10, 0x14, 0x3, 0x2, 0x30, 0x39, 0x3, 0x2, 0x3a, 
    0x3b, 0x3, 0x2, 0x3c, 0x3e, 0x3, 0x2, 0x6f, 0x70, 0x3, 0x2, 0x71, 0x72, 
    0x4, 0x2, 0x5e, 0x5e, 0x75, 0x78, 0x4, 0x2, 0x73, 0x73, 0x7c, 0x7c, 
    0x4, 0x2, 0x68, 0x68, 0x73, 0x73, 0x3, 0x2, 0x4c, 0x4d, 0x3, 0x2, 0x7d, 
    0x7e, 0x3, 0x2, 0x81, 0x82, 0x4, 0x2, 0x58, 0x59, 0x84, 0x85, 0x4, 0x2, 
    0x5, 0x59, 0x83, 0x83, 0x2, 0x3a2, 0x2, 0xb0, 0x3, 0x2, 0x2, 0x2, 0x4, 
    0xed, 0x3, 0x2, 0x2, 0x2, 0x6, 0xf1, 0x3, 0x2, 0x2, 0x2, 0x8, 0xf3, 
    0x3, 0x2, 0x2, 0x2, 0xa, 0x105, 0x3, 0x2, 0x2, 0x2, 0xc, 0x108, 0x3, 
    0x2, 0x2, 0x2, 0xe, 0x118, 0x3, 0x2, 0x2, 0x2, 0x10, 0x11a, 0x3, 0x2, 
    0x2, 0x2, 0x12, 0x124, 0x3, 0x2, 0x2, 0x2, 0x14, 0x12d, 0x3, 0x2, 0x2, 
    0x2, 0x16, 0x13c, 0x3, 0x2, 0x2, 0x2, 0x18, 0x145, 0x3, 0x2, 0x2, 0x2, 
    0x1a, 0x147, 0x3, 0x2, 0x2, 0x2, 0x1c, 0x14c, 0x3, 0x2, 0x2, 0x2, 0x1e, 
    0x159, 0x3, 0x2, 0x2, 0x2, 0x20, 0x15b, 0x3, 0x2, 0x2, 0x2, 0x22, 0x162, 
    0x3, 0x2, 0x2, 0x2, 0x24, 0x16c, 0x3, 0x2, 0x2, 0x2, 0x26, 0x173, 0x3, 
    0x2, 0x2, 0x2, 0x28, 0x18b, 0x3, 0x2, 0x2, 0x2, 0x2a, 0x18d, 0x3, 0x2, 
    0x2, 0x2, 0x2c, 0x192, 0x3, 0x2, 0x2, 0x2, 0x2e, 0x1a0, 0x3, 0x2, 0x2, 
    0x2, 0x30, 0x1a2, 0x3, 0x2, 0x2, 0x2, 0x32, 0x1a9, 0x3, 0x2, 0x2, 0x2, 
    0x34, 0x1b3, 0x3, 0x2, 0x2, 0x2, 0x36, 0x1ba, 0x3, 0x2, 0x2, 0x2, 0x38, 
    0x1ce, 0x3, 0x2, 0x2, 0x2, 0x3a, 0x1d0, 0x3, 0x2, 0x2, 0x2, 0x3c, 0x1d8, 
    0x3, 0x2, 0x2, 0x2, 0x3e, 0x1e7, 0x3, 0x2, 0x2, 0x2, 0x40, 0x1e9, 0x3, 
    0x2, 0x2, 0x2, 0x42, 0x1ee, 0x3, 0x2, 0x2, 0x2, 0x44, 0x1ff, 0x3, 0x2, 
    0x2, 0x2, 0x46, 0x201, 0x3, 0x2, 0x2, 0x2, 0x48, 0x217, 0x3, 0x2, 0x2, 
    0x2, 0x4a, 0x21e, 0x3, 0x2, 0x2, 0x2, 0x4c, 0x223, 0x3, 0x2, 0x2, 0x2, 
    0x4e, 0x22c, 0x3, 0x2, 0x2, 0x2, 0x50, 0x236, 0x3, 0x2, 0x2, 0x2, 0x52, 
    0x240, 0x3, 0x2, 0x2, 0x2, 0x54, 0x244, 0x3, 0x2, 0x2, 0x2, 0x56, 0x248, 
    0x3, 0x2, 0x2, 0x2, 0x58, 0x257, 0x3, 0x2, 0x2, 0x2, 0x5a, 0x25d, 0x3, 
    0x2, 0x2, 0x2, 0x5c, 0x277, 0x3, 0x2, 0x2, 0x2, 0x5e, 0x279, 0x3, 0x2, 
    0x2, 0x2, 0x60, 0x27e, 0x3, 0x2, 0x2, 0x2, 0x62, 0x283, 0x3, 0x2, 0x2, 
    0x2, 0x64, 0x288, 0x3, 0x2, 0x2, 0x2, 0x66, 0x28d, 0x3, 0x2, 0x2, 0x2, 
    0x68, 0x297, 0x3, 0x2, 0x2, 0x2, 0x6a, 0x29b, 0x3, 0x2, 0x2, 0x2, 0x6c, 
    0x29e, 0x3, 0x2, 0x2, 0x2, 0x6e, 0x2a3, 0x3, 0x2, 0x2, 0x2, 0x70, 0x2ac, 
    0x3, 0x2, 0x2, 0x2, 0x72, 0x2b5, 0x3, 0x2, 0x2, 0x2, 0x74, 0x2b8, 0x3, 
    0x2, 0x2, 0x2, 0x76, 0x2ca, 0x3, 0x2, 0x2, 0x2, 0x78, 0x2cc, 0x3, 0x2, 
    0x2, 0x2, 0x7a, 0x2d5, 0x3, 0x2, 0x2, 0x2, 0x7c, 0x2e0, 0x3, 0x2, 0x2, 
    0x2, 0x7e, 0x2e3, 0x3, 0x2, 0x2, 0x2, 0x80, 0x2e9, 0x3, 0x2, 0x2, 0x2, 
    0x82, 0x2ee, 0x3, 0x2, 0x2, 0x2, 0x84, 0x2f4, 0x3, 0x2, 0x2, 0x2, 0x86, 
    0x2fa, 0x3, 0x2, 0x2, 0x2, 0x88, 0x304, 0x3, 0x2, 0x2, 0x2, 0x8a, 0x30d, 
    0x3, 0x2, 0x2, 0x2, 0x8c, 0x310, 0x3, 0x2, 0x2, 0x2, 0x8e, 0x315, 0x3, 
    0x2, 0x2, 0x2, 0x90, 0x319, 0x3, 0x2, 0x2, 0x2, 0x92, 0x323, 0x3, 0x2, 
    0x2, 0x2, 0x94, 0x32c, 0x3, 0x2, 0x2, 0x2, 0x96, 0x32f, 0x3, 0x2, 0x2, 
    0x2, 0x98, 0x334, 0x3, 0x2, 0x2, 0x2, 0x9a, 0x339, 0x3, 0x2, 0x2, 0x2, 
    0x9c, 0x33e, 0x3, 0x2, 0x2, 0x2, 0x9e, 0x349, 0x3, 0x2, 0x2, 0x2, 0xa0, 
    0x355, 0x3, 0x2, 0x2, 0x2, 0xa2, 0x35c, 0x3, 0x2, 0x2, 0x2, 0xa4, 0x360, 
    0x3, 0x2, 0x2, 0x2, 0xa6, 0x36f, 0x3, 0x2, 0x2, 0x2, 0xa8, 0x371, 0x3, 
    0x2, 0x2, 0x2, 0xaa, 0x373, 0x3, 0x2, 0x2, 0x2, 0xac, 0x377, 0x3, 0x2, 
    0x2, 0x2, 0xae, 0x379, 0x3, 0x2, 0x2, 0x2, 0xb0, 0xb1, 0x7, 0x3, 0x2, 
    0x2, 0xb1, 0xb5, 0x7, 0x5, 0x2, 0x2, 0xb2, 0xb4, 0x5, 0x4, 0x3, 0x2, 
    0xb3, 0xb2, 0x3, 0x2, 0x2, 0x2, 0xb4, 0xb7, 0x3, 0x2, 0x2, 0x2, 0xb5, 
    0xb3, 0x3, 0x2, 0x2, 0x2, 0xb5, 0xb6, 0x3, 0x2, 0x2, 0x2, 0xb6, 0xb8, 
    0x3, 0x2, 0x2, 0x2, 0xb7, 0xb5, 0x3, 0x2, 0x2, 0x2, 0xb8, 0xb9, 0x7, 
    0x3, 0x2, 0x2, 0xb9, 0xbd, 0x7, 0x6, 0x2, 0x2, 0xba, 0xbc, 0x5, 0x8, 
    0x5, 0x2, 0xbb, 0xba, 0x3, 0x2, 0x2, 0x2, 0xbc, 0xbf, 0x3, 0x2, 0x2, 
    0x2, 0xbd, 0xbb, 0x3, 0x2, 0x2, 0x2, 0xbd, 0xbe, 0x3, 0x2, 0x2, 0x2, 
    0xbe, 0xc0, 0x3, 0x2, 0x2, 0x2, 0xbf, 0xbd, 0x3, 0x2, 0x2, 0x2, 0xc0, 
    0xc1, 0x7, 0x4, 0x2, 0x2, 0xc1, 0xc2, 0x7, 0x4, 0x2, 0x2, 0xc2, 0xc3, 
    0x7, 0x2, 0x2, 0x3, 0xc3, 0x3, 0x3, 0x2, 0x2, 0x2, 0xc4, 0xc5, 0x7, 
    0x5a, 0x2, 0x2, 0xc5, 0xee, 0x5, 0x6, 0x4, 0x2, 0xc6, 0xc7, 0x7, 0x5b, 
    0x2, 0x2, 0xc7, 0xee, 0x7, 0x84, 0x2, 0x2, 0xc8, 0xc9, 0x7, 0x5c, 0x2, 
    0x2, 0xc9, 0xee, 0x5, 0xa8, 0x55, 0x2, 0xca, 0xcb, 0x7, 0x5d, 0x2, 0x2, 
    0xcb, 0xee, 0x5, 0xa8, 0x55, 0x2, 0xcc, 0xcd, 0x7, 0x5e, 0x2, 0x2, 0xcd, 
    0xee, 0x5, 0xa8, 0x55, 0x2, 0xce, 0xcf, 0x7, 0x5f, 0x2, 0x2, 0xcf, 0xee, 
    0x5, 0xac, 0x57, 0x2, 0xd0, 0xd1, 0x7, 0x60, 0x2, 0x2, 0xd1, 0xee, 0x5, 
    0xac, 0x57, 0x2, 0xd2, 0xd3, 0x7, 0x61, 0x2, 0x2, 0xd3, 0xee, 0x5, 0xac, 
    0x57, 0x2, 0xd4, 0xd5, 0x7, 0x62, 0x2, 0x2, 0xd5, 0xee, 0x5, 0xac, 0x57, 
    0x2, 0xd6, 0xd7, 0x7, 0x63, 0x2, 0x2, 0xd7, 0xee, 0x7, 0x84, 0x2, 0x2, 
    0xd8, 0xe7, 0x7, 0x64, 0x2, 0x2, 0xd9, 0xe8, 0x5, 0xa8, 0x55, 0x2, 0xda, 
    0xdc, 0x5, 0xae, 0x58, 0x2, 0xdb, 0xda, 0x3, 0x2, 0x2, 0x2, 0xdc, 0xdd, 
    0x3, 0x2, 0x2, 0x2, 0xdd, 0xdb, 0x3, 0x2, 0x2, 0x2, 0xdd, 0xde, 0x3, 
    0x2, 0x2, 0x2, 0xde, 0xe8, 0x3, 0x2, 0x2, 0x2, 0xdf, 0xe3, 0x7, 0x3, 
    0x2, 0x2, 0xe0, 0xe2, 0x5, 0xae, 0x58, 0x2, 0xe1, 0xe0, 0x3, 0x2, 0x2, 
    0x2, 0xe2, 0xe5, 0x3, 0x2, 0x2, 0x2, 0xe3, 0xe1, 0x3, 0x2, 0x2, 0x2, 
    0xe3, 0xe4, 0x3, 0x2, 0x2, 0x2, 0xe4, 0xe6, 0x3, 0x2, 0x2, 0x2, 0xe5, 
    0xe3, 0x3, 0x2, 0x2, 0x2, 0xe6, 0xe8, 0x7, 0x4, 0x2, 0x2, 0xe7, 0xd9, 
    0x3, 0x2, 0x2, 0x2, 0xe7, 0xdb, 0x3, 0x2, 0x2, 0x2, 0xe7, 0xdf, 0x3, 
    0x2, 0x2, 0x2, 0xe8, 0xee, 0x3, 0x2, 0x2, 0x2, 0xe9, 0xea, 0x7, 0x65, 
    0x2, 0x2, 0xea, 0xee, 0x5, 0xac, 0x57, 0x2, 0xeb, 0xec, 0x7, 0x66, 0x2, 
    0x2, 0xec, 0xee, 0x7, 0x84, 0x2, 0x2, 0xed, 0xc4, 0x3, 0x2, 0x2, 0x2, 
    0xed, 0xc6, 0x3, 0x2, 0x2, 0x2, 0xed, 0xc8, 0x3, 0x2, 0x2, 0x2, 0xed, 
    0xca, 0x3, 0x2, 0x2, 0x2, 0xed, 0xcc, 0x3, 0x2, 0x2, 0x2, 0xed, 0xce, 
    0x3, 0x2, 0x2, 0x2, 0xed, 0xd0, 0x3, 0x2, 0x2, 0x2, 0xed, 0xd2, 0x3, 
    0x2, 0x2, 0x2, 0xed, 0xd4, 0x3, 0x2, 0x2, 0x2, 0xed, 0xd6, 0x3, 0x2, 
    0x2, 0x2, 0xed, 0xd8, 0x3, 0x2, 0x2, 0x2, 0xed, 0xe9, 0x3, 0x2, 0x2, 
    0x2, 0xed, 0xeb, 0x3, 0x2, 0x2, 0x2, 0xee, 0x5, 0x3, 0x2, 0x2, 0x2, 
    0xef, 0xf2, 0x5, 0xac, 0x57, 0x2, 0xf0, 0xf2, 0x7, 0x8a, 0x2, 0x2, 0xf1, 
    0xef, 0x3, 0x2, 0x2, 0x2, 0xf1, 0xf0, 0x3, 0x2, 0x2, 0x2, 0xf2, 0x7, 
    0x3, 0x2, 0x2, 0x2, 0xf3, 0xf4, 0x7, 0x3, 0x2, 0x2, 0xf4, 0xf6, 0x7, 
    0x7, 0x2, 0x2, 0xf5, 0xf7, 0x5, 0xa, 0x6, 0x2, 0xf6, 0xf5, 0x3, 0x2, 
    0x2, 0x2, 0xf6, 0xf7, 0x3, 0x2, 0x2, 0x2, 0xf7, 0xf9, 0x3, 0x2, 0x2, 
    0x2, 0xf8, 0xfa, 0x7, 0x5a, 0x2, 0x2, 0xf9, 0xf8, 0x3, 0x2, 0x2, 0x2, 
    0xf9, 0xfa, 0x3, 0x2, 0x2, 0x2, 0xfa, 0xfb, 0x3, 0x2, 0x2, 0x2, 0xfb, 
    0xfd, 0x5, 0xac, 0x57, 0x2, 0xfc, 0xfe, 0x5, 0xa, 0x6, 0x2, 0xfd, 0xfc, 
    0x3, 0x2, 0x2, 0x2, 0xfd, 0xfe, 0x3, 0x2, 0x2, 0x2, 0xfe, 0xff, 0x3, 
    0x2, 0x2, 0x2, 0xff, 0x100, 0x5, 0x16, 0xc, 0x2, 0x100, 0x101, 0x5, 
    0xc, 0x7, 0x2, 0x101, 0x102, 0x5, 0x14, 0xb, 0x2, 0x102, 0x103, 0x5, 
    0x10, 0x9, 0x2, 0x103, 0x104, 0x7, 0x4, 0x2, 0x2, 0x104, 0x9, 0x3, 0x2, 
    0x2, 0x2, 0x105, 0x106, 0x7, 0x67, 0x2, 0x2, 0x106, 0x107, 0x5, 0xac, 
    0x57, 0x2, 0x107, 0xb, 0x3, 0x2, 0x2, 0x2, 0x108, 0x109, 0x7, 0x3, 0x2, 
    0x2, 0x109, 0x10d, 0x7, 0x8, 0x2, 0x2, 0x10a, 0x10c, 0x5, 0xe, 0x8, 
    0x2, 0x10b, 0x10a, 0x3, 0x2, 0x2, 0x2, 0x10c, 0x10f, 0x3, 0x2, 0x2, 
    0x2, 0x10d, 0x10b, 0x3, 0x2, 0x2, 0x2, 0x10d, 0x10e, 0x3, 0x2, 0x2, 
    0x2, 0x10e, 0x110, 0x3, 0x2, 0x2, 0x2, 0x10f, 0x10d, 0x3, 0x2, 0x2, 
    0x2, 0x110, 0x111, 0x7, 0x4, 0x2, 0x2, 0x111, 0xd, 0x3, 0x2, 0x2, 0x2, 
    0x112, 0x113, 0x7, 0x3, 0x2, 0x2, 0x113, 0x114, 0x7, 0x9, 0x2, 0x2, 
    0x114, 0x115, 0x7, 0x68, 0x2, 0x2, 0x115, 0x116, 0x7, 0x84, 0x2, 0x2, 
    0x116, 0x119, 0x7, 0x4, 0x2, 0x2, 0x117, 0x119, 0x7, 0x84, 0x2, 0x2, 
    0x118, 0x112, 0x3, 0x2, 0x2, 0x2, 0x118, 0x117, 0x3, 0x2, 0x2, 0x2, 
    0x119, 0xf, 0x3, 0x2, 0x2, 0x2, 0x11a, 0x11b, 0x7, 0x3, 0x2, 0x2, 0x11b, 
    0x11f, 0x7, 0xa, 0x2, 0x2, 0x11c, 0x11e, 0x5, 0x12, 0xa, 0x2, 0x11d, 
    0x11c, 0x3, 0x2, 0x2, 0x2, 0x11e, 0x121, 0x3, 0x2, 0x2, 0x2, 0x11f, 
    0x11d, 0x3, 0x2, 0x2, 0x2, 0x11f, 0x120, 0x3, 0x2, 0x2, 0x2, 0x120, 
    0x122, 0x3, 0x2, 0x2, 0x2, 0x121, 0x11f, 0x3, 0x2, 0x2, 0x2, 0x122, 
    0x123, 0x7, 0x4, 0x2, 0x2, 0x123, 0x11, 0x3, 0x2, 0x2, 0x2, 0x124, 0x125, 
    0x7, 0x3, 0x2, 0x2, 0x125, 0x126, 0x7, 0xb, 0x2, 0x2, 0x126, 0x127, 
    0x7, 0x68, 0x2, 0x2, 0x127, 0x128, 0x7, 0x84, 0x2, 0x2, 0x128, 0x129, 
    0x7, 0x5a, 0x2, 0x2, 0x129, 0x12a, 0x5, 0xac, 0x57, 0x2, 0x12a, 0x12b, 
    0x5, 0x16, 0xc, 0x2, 0x12b, 0x12c, 0x7, 0x4, 0x2, 0x2, 0x12c, 0x13, 
    0x3, 0x2, 0x2, 0x2, 0x12d, 0x12e, 0x7, 0x3, 0x2, 0x2, 0x12e, 0x132, 
    0x7, 0xc, 0x2, 0x2, 0x12f, 0x131, 0x5, 0x2c, 0x17, 0x2, 0x130, 0x12f, 
    0x3, 0x2, 0x2, 0x2, 0x131, 0x134, 0x3, 0x2, 0x2, 0x2, 0x132, 0x130, 
    0x3, 0x2, 0x2, 0x2, 0x132, 0x133, 0x3, 0x2, 0x2, 0x2, 0x133, 0x135, 
    0x3, 0x2, 0x2, 0x2, 0x134, 0x132, 0x3, 0x2, 0x2, 0x2, 0x135, 0x136, 
    0x7, 0x4, 0x2, 0x2, 0x136, 0x15, 0x3, 0x2, 0x2, 0x2, 0x137, 0x13d, 0x7, 
    0xd, 0x2, 0x2, 0x138, 0x139, 0x7, 0x3, 0x2, 0x2, 0x139, 0x13a, 0x5, 
    0x18, 0xd, 0x2, 0x13a, 0x13b, 0x7, 0x4, 0x2, 0x2, 0x13b, 0x13d, 0x3, 
    0x2, 0x2, 0x2, 0x13c, 0x137, 0x3, 0x2, 0x2, 0x2, 0x13c, 0x138, 0x3, 
    0x2, 0x2, 0x2, 0x13d, 0x17, 0x3, 0x2, 0x2, 0x2, 0x13e, 0x146, 0x5, 0x1a, 
    0xe, 0x2, 0x13f, 0x146, 0x5, 0x1c, 0xf, 0x2, 0x140, 0x146, 0x5, 0x20, 
    0x11, 0x2, 0x141, 0x146, 0x5, 0x22, 0x12, 0x2, 0x142, 0x146, 0x5, 0x24, 
    0x13, 0x2, 0x143, 0x146, 0x5, 0x28, 0x15, 0x2, 0x144, 0x146, 0x5, 0x2a, 
    0x16, 0x2, 0x145, 0x13e, 0x3, 0x2, 0x2, 0x2, 0x145, 0x13f, 0x3, 0x2, 
    0x2, 0x2, 0x145, 0x140, 0x3, 0x2, 0x2, 0x2, 0x145, 0x141, 0x3, 0x2, 
    0x2, 0x2, 0x145, 0x142, 0x3, 0x2, 0x2, 0x2, 0x145, 0x143, 0x3, 0x2, 
    0x2, 0x2, 0x145, 0x144, 0x3, 0x2, 0x2, 0x2, 0x146, 0x19, 0x3, 0x2, 0x2, 
    0x2, 0x147, 0x14a, 0x9, 0x2, 0x2, 0x2, 0x148, 0x149, 0x7, 0x69, 0x2, 
    0x2, 0x149, 0x14b, 0x7, 0x84, 0x2, 0x2, 0x14a, 0x148, 0x3, 0x2, 0x2, 
    0x2, 0x14a, 0x14b, 0x3, 0x2, 0x2, 0x2, 0x14b, 0x1b, 0x3, 0x2, 0x2, 0x2, 
    0x14c, 0x150, 0x7, 0x15, 0x2, 0x2, 0x14d, 0x14f, 0x5, 0x1e, 0x10, 0x2, 
    0x14e, 0x14d, 0x3, 0x2, 0x2, 0x2, 0x14f, 0x152, 0x3, 0x2, 0x2, 0x2, 
    0x150, 0x14e, 0x3, 0x2, 0x2, 0x2, 0x150, 0x151, 0x3, 0x2, 0x2, 0x2, 
    0x151, 0x153, 0x3, 0x2, 0x2, 0x2, 0x152, 0x150, 0x3, 0x2, 0x2, 0x2, 
    0x153, 0x154, 0x5, 0x16, 0xc, 0x2, 0x154, 0x1d, 0x3, 0x2, 0x2, 0x2, 
    0x155, 0x156, 0x7, 0x6a, 0x2, 0x2, 0x156, 0x15a, 0x5, 0xac, 0x57, 0x2, 
    0x157, 0x158, 0x7, 0x6b, 0x2, 0x2, 0x158, 0x15a, 0x7, 0x84, 0x2, 0x2, 
    0x159, 0x155, 0x3, 0x2, 0x2, 0x2, 0x159, 0x157, 0x3, 0x2, 0x2, 0x2, 
    0x15a, 0x1f, 0x3, 0x2, 0x2, 0x2, 0x15b, 0x15f, 0x7, 0x16, 0x2, 0x2, 
    0x15c, 0x15e, 0x5, 0x16, 0xc, 0x2, 0x15d, 0x15c, 0x3, 0x2, 0x2, 0x2, 
    0x15e, 0x161, 0x3, 0x2, 0x2, 0x2, 0x15f, 0x15d, 0x3, 0x2, 0x2, 0x2, 
    0x15f, 0x160, 0x3, 0x2, 0x2, 0x2, 0x160, 0x21, 0x3, 0x2, 0x2, 0x2, 0x161, 
    0x15f, 0x3, 0x2, 0x2, 0x2, 0x162, 0x165, 0x7, 0x17, 0x2, 0x2, 0x163, 
    0x164, 0x7, 0x6b, 0x2, 0x2, 0x164, 0x166, 0x7, 0x84, 0x2, 0x2, 0x165, 
    0x163, 0x3, 0x2, 0x2, 0x2, 0x165, 0x166, 0x3, 0x2, 0x2, 0x2, 0x166, 
    0x168, 0x3, 0x2, 0x2, 0x2, 0x167, 0x169, 0x5, 0x16, 0xc, 0x2, 0x168, 
    0x167, 0x3, 0x2, 0x2, 0x2, 0x169, 0x16a, 0x3, 0x2, 0x2, 0x2, 0x16a, 
    0x168, 0x3, 0x2, 0x2, 0x2, 0x16a, 0x16b, 0x3, 0x2, 0x2, 0x2, 0x16b, 
    0x23, 0x3, 0x2, 0x2, 0x2, 0x16c, 0x170, 0x7, 0x18, 0x2, 0x2, 0x16d, 
    0x16f, 0x5, 0x26, 0x14, 0x2, 0x16e, 0x16d, 0x3, 0x2, 0x2, 0x2, 0x16f, 
    0x172, 0x3, 0x2, 0x2, 0x2, 0x170, 0x16e, 0x3, 0x2, 0x2, 0x2, 0x170, 
    0x171, 0x3, 0x2, 0x2, 0x2, 0x171, 0x25, 0x3, 0x2, 0x2, 0x2, 0x172, 0x170, 
    0x3, 0x2, 0x2, 0x2, 0x173, 0x183, 0x7, 0x3, 0x2, 0x2, 0x174, 0x178, 
    0x7, 0x19, 0x2, 0x2, 0x175, 0x177, 0x5, 0x16, 0xc, 0x2, 0x176, 0x175, 
    0x3, 0x2, 0x2, 0x2, 0x177, 0x17a, 0x3, 0x2, 0x2, 0x2, 0x178, 0x176, 
    0x3, 0x2, 0x2, 0x2, 0x178, 0x179, 0x3, 0x2, 0x2, 0x2, 0x179, 0x184, 
    0x3, 0x2, 0x2, 0x2, 0x17a, 0x178, 0x3, 0x2, 0x2, 0x2, 0x17b, 0x17f, 
    0x7, 0x1a, 0x2, 0x2, 0x17c, 0x17e, 0x5, 0x16, 0xc, 0x2, 0x17d, 0x17c, 
    0x3, 0x2, 0x2, 0x2, 0x17e, 0x181, 0x3, 0x2, 0x2, 0x2, 0x17f, 0x17d, 
    0x3, 0x2, 0x2, 0x2, 0x17f, 0x180, 0x3, 0x2, 0x2, 0x2, 0x180, 0x184, 
    0x3, 0x2, 0x2, 0x2, 0x181, 0x17f, 0x3, 0x2, 0x2, 0x2, 0x182, 0x184, 
    0x5, 0x18, 0xd, 0x2, 0x183, 0x174, 0x3, 0x2, 0x2, 0x2, 0x183, 0x17b, 
    0x3, 0x2, 0x2, 0x2, 0x183, 0x182, 0x3, 0x2, 0x2, 0x2, 0x184, 0x185, 
    0x3, 0x2, 0x2, 0x2, 0x185, 0x186, 0x7, 0x4, 0x2, 0x2, 0x186, 0x27, 0x3, 
    0x2, 0x2, 0x2, 0x187, 0x18c, 0x7, 0xd, 0x2, 0x2, 0x188, 0x189, 0x7, 
    0xe, 0x2, 0x2, 0x189, 0x18a, 0x7, 0x5a, 0x2, 0x2, 0x18a, 0x18c, 0x7, 
    0xd, 0x2, 0x2, 0x18b, 0x187, 0x3, 0x2, 0x2, 0x2, 0x18b, 0x188, 0x3, 
    0x2, 0x2, 0x2, 0x18c, 0x29, 0x3, 0x2, 0x2, 0x2, 0x18d, 0x190, 0x7, 0xf, 
    0x2, 0x2, 0x18e, 0x18f, 0x7, 0x69, 0x2, 0x2, 0x18f, 0x191, 0x7, 0x84, 
    0x2, 0x2, 0x190, 0x18e, 0x3, 0x2, 0x2, 0x2, 0x190, 0x191, 0x3, 0x2, 
    0x2, 0x2, 0x191, 0x2b, 0x3, 0x2, 0x2, 0x2, 0x192, 0x193, 0x7, 0x3, 0x2, 
    0x2, 0x193, 0x194, 0x5, 0x2e, 0x18, 0x2, 0x194, 0x195, 0x7, 0x4, 0x2, 
    0x2, 0x195, 0x2d, 0x3, 0x2, 0x2, 0x2, 0x196, 0x1a1, 0x5, 0x30, 0x19, 
    0x2, 0x197, 0x1a1, 0x5, 0x36, 0x1c, 0x2, 0x198, 0x1a1, 0x5, 0x3a, 0x1e, 
    0x2, 0x199, 0x1a1, 0x5, 0x42, 0x22, 0x2, 0x19a, 0x1a1, 0x5, 0x48, 0x25, 
    0x2, 0x19b, 0x1a1, 0x5, 0x4c, 0x27, 0x2, 0x19c, 0x1a1, 0x5, 0x52, 0x2a, 
    0x2, 0x19d, 0x1a1, 0x5, 0x54, 0x2b, 0x2, 0x19e, 0x1a1, 0x5, 0x56, 0x2c, 
    0x2, 0x19f, 0x1a1, 0x5, 0x58, 0x2d, 0x2, 0x1a0, 0x196, 0x3, 0x2, 0x2, 
    0x2, 0x1a0, 0x197, 0x3, 0x2, 0x2, 0x2, 0x1a0, 0x198, 0x3, 0x2, 0x2, 
    0x2, 0x1a0, 0x199, 0x3, 0x2, 0x2, 0x2, 0x1a0, 0x19a, 0x3, 0x2, 0x2, 
    0x2, 0x1a0, 0x19b, 0x3, 0x2, 0x2, 0x2, 0x1a0, 0x19c, 0x3, 0x2, 0x2, 
    0x2, 0x1a0, 0x19d, 0x3, 0x2, 0x2, 0x2, 0x1a0, 0x19e, 0x3, 0x2, 0x2, 
    0x2, 0x1a0, 0x19f, 0x3, 0x2, 0x2, 0x2, 0x1a1, 0x2f, 0x3, 0x2, 0x2, 0x2, 
    0x1a2, 0x1a4, 0x7, 0x1b, 0x2, 0x2, 0x1a3, 0x1a5, 0x5, 0xa, 0x6, 0x2, 
    0x1a4, 0x1a3, 0x3, 0x2, 0x2, 0x2, 0x1a4, 0x1a5, 0x3, 0x2, 0x2, 0x2, 
    0x1a5, 0x1a6, 0x3, 0x2, 0x2, 0x2, 0x1a6, 0x1a7, 0x5, 0x32, 0x1a, 0x2, 
    0x1a7, 0x1a8, 0x5, 0x34, 0x1b, 0x2, 0x1a8, 0x31, 0x3, 0x2, 0x2, 0x2, 
    0x1a9, 0x1aa, 0x7, 0x3, 0x2, 0x2, 0x1aa, 0x1ae, 0x7, 0x25, 0x2, 0x2, 
    0x1ab, 0x1ad, 0x5, 0x5a, 0x2e, 0x2, 0x1ac, 0x1ab, 0x3, 0x2, 0x2, 0x2, 
    0x1ad, 0x1b0, 0x3, 0x2, 0x2, 0x2, 0x1ae, 0x1ac, 0x3, 0x2, 0x2, 0x2, 
    0x1ae, 0x1af, 0x3, 0x2, 0x2, 0x2, 0x1af, 0x1b1, 0x3, 0x2, 0x2, 0x2, 
    0x1b0, 0x1ae, 0x3, 0x2, 0x2, 0x2, 0x1b1, 0x1b2, 0x7, 0x4, 0x2, 0x2, 
    0x1b2, 0x33, 0x3, 0x2, 0x2, 0x2, 0x1b3, 0x1b4, 0x7, 0x3, 0x2, 0x2, 0x1b4, 
    0x1b6, 0x7, 0x26, 0x2, 0x2, 0x1b5, 0x1b7, 0x5, 0x5a, 0x2e, 0x2, 0x1b6, 
    0x1b5, 0x3, 0x2, 0x2, 0x2, 0x1b6, 0x1b7, 0x3, 0x2, 0x2, 0x2, 0x1b7, 
    0x1b8, 0x3, 0x2, 0x2, 0x2, 0x1b8, 0x1b9, 0x7, 0x4, 0x2, 0x2, 0x1b9, 
    0x35, 0x3, 0x2, 0x2, 0x2, 0x1ba, 0x1be, 0x7, 0x1c, 0x2, 0x2, 0x1bb, 
    0x1bd, 0x5, 0x38, 0x1d, 0x2, 0x1bc, 0x1bb, 0x3, 0x2, 0x2, 0x2, 0x1bd, 
    0x1c0, 0x3, 0x2, 0x2, 0x2, 0x1be, 0x1bc, 0x3, 0x2, 0x2, 0x2, 0x1be, 
    0x1bf, 0x3, 0x2, 0x2, 0x2, 0x1bf, 0x1c1, 0x3, 0x2, 0x2, 0x2, 0x1c0, 
    0x1be, 0x3, 0x2, 0x2, 0x2, 0x1c1, 0x1c2, 0x7, 0x3, 0x2, 0x2, 0x1c2, 
    0x1c6, 0x7, 0x27, 0x2, 0x2, 0x1c3, 0x1c5, 0x5, 0x2c, 0x17, 0x2, 0x1c4, 
    0x1c3, 0x3, 0x2, 0x2, 0x2, 0x1c5, 0x1c8, 0x3, 0x2, 0x2, 0x2, 0x1c6, 
    0x1c4, 0x3, 0x2, 0x2, 0x2, 0x1c6, 0x1c7, 0x3, 0x2, 0x2, 0x2, 0x1c7, 
    0x1c9, 0x3, 0x2, 0x2, 0x2, 0x1c8, 0x1c6, 0x3, 0x2, 0x2, 0x2, 0x1c9, 
    0x1ca, 0x7, 0x4, 0x2, 0x2, 0x1ca, 0x37, 0x3, 0x2, 0x2, 0x2, 0x1cb, 0x1cc, 
    0x7, 0x6c, 0x2, 0x2, 0x1cc, 0x1cf, 0x5, 0xa8, 0x55, 0x2, 0x1cd, 0x1cf, 
    0x5, 0xa, 0x6, 0x2, 0x1ce, 0x1cb, 0x3, 0x2, 0x2, 0x2, 0x1ce, 0x1cd, 
    0x3, 0x2, 0x2, 0x2, 0x1cf, 0x39, 0x3, 0x2, 0x2, 0x2, 0x1d0, 0x1d2, 0x7, 
    0x1d, 0x2, 0x2, 0x1d1, 0x1d3, 0x5, 0xa, 0x6, 0x2, 0x1d2, 0x1d1, 0x3, 
    0x2, 0x2, 0x2, 0x1d2, 0x1d3, 0x3, 0x2, 0x2, 0x2, 0x1d3, 0x1d4, 0x3, 
    0x2, 0x2, 0x2, 0x1d4, 0x1d5, 0x5, 0x3c, 0x1f, 0x2, 0x1d5, 0x1d6, 0x5, 
    0x40, 0x21, 0x2, 0x1d6, 0x1d7, 0x5, 0x14, 0xb, 0x2, 0x1d7, 0x3b, 0x3, 
    0x2, 0x2, 0x2, 0x1d8, 0x1d9, 0x7, 0x3, 0x2, 0x2, 0x1d9, 0x1db, 0x7, 
    0x28, 0x2, 0x2, 0x1da, 0x1dc, 0x5, 0x3e, 0x20, 0x2, 0x1db, 0x1da, 0x3, 
    0x2, 0x2, 0x2, 0x1dc, 0x1dd, 0x3, 0x2, 0x2, 0x2, 0x1dd, 0x1db, 0x3, 
    0x2, 0x2, 0x2, 0x1dd, 0x1de, 0x3, 0x2, 0x2, 0x2, 0x1de, 0x1df, 0x3, 
    0x2, 0x2, 0x2, 0x1df, 0x1e0, 0x7, 0x4, 0x2, 0x2, 0x1e0, 0x3d, 0x3, 0x2, 
    0x2, 0x2, 0x1e1, 0x1e8, 0x7, 0x84, 0x2, 0x2, 0x1e2, 0x1e3, 0x7, 0x3, 
    0x2, 0x2, 0x1e3, 0x1e4, 0x7, 0xb, 0x2, 0x2, 0x1e4, 0x1e5, 0x7, 0x68, 
    0x2, 0x2, 0x1e5, 0x1e6, 0x7, 0x84, 0x2, 0x2, 0x1e6, 0x1e8, 0x7, 0x4, 
    0x2, 0x2, 0x1e7, 0x1e1, 0x3, 0x2, 0x2, 0x2, 0x1e7, 0x1e2, 0x3, 0x2, 
    0x2, 0x2, 0x1e8, 0x3f, 0x3, 0x2, 0x2, 0x2, 0x1e9, 0x1ea, 0x7, 0x3, 0x2, 
    0x2, 0x1ea, 0x1eb, 0x7, 0x29, 0x2, 0x2, 0x1eb, 0x1ec, 0x5, 0x5a, 0x2e, 
    0x2, 0x1ec, 0x1ed, 0x7, 0x4, 0x2, 0x2, 0x1ed, 0x41, 0x3, 0x2, 0x2, 0x2, 
    0x1ee, 0x1f2, 0x7, 0x1e, 0x2, 0x2, 0x1ef, 0x1f1, 0x5, 0x44, 0x23, 0x2, 
    0x1f0, 0x1ef, 0x3, 0x2, 0x2, 0x2, 0x1f1, 0x1f4, 0x3, 0x2, 0x2, 0x2, 
    0x1f2, 0x1f0, 0x3, 0x2, 0x2, 0x2, 0x1f2, 0x1f3, 0x3, 0x2, 0x2, 0x2, 
    0x1f3, 0x1f5, 0x3, 0x2, 0x2, 0x2, 0x1f4, 0x1f2, 0x3, 0x2, 0x2, 0x2, 
    0x1f5, 0x1f6, 0x5, 0x3c, 0x1f, 0x2, 0x1f6, 0x1f8, 0x5, 0x40, 0x21, 0x2, 
    0x1f7, 0x1f9, 0x5, 0x46, 0x24, 0x2, 0x1f8, 0x1f7, 0x3, 0x2, 0x2, 0x2, 
    0x1f9, 0x1fa, 0x3, 0x2, 0x2, 0x2, 0x1fa, 0x1f8, 0x3, 0x2, 0x2, 0x2, 
    0x1fa, 0x1fb, 0x3, 0x2, 0x2, 0x2, 0x1fb, 0x43, 0x3, 0x2, 0x2, 0x2, 0x1fc, 
    0x1fd, 0x7, 0x6d, 0x2, 0x2, 0x1fd, 0x200, 0x7, 0x2b, 0x2, 0x2, 0x1fe, 
    0x200, 0x5, 0xa, 0x6, 0x2, 0x1ff, 0x1fc, 0x3, 0x2, 0x2, 0x2, 0x1ff, 
    0x1fe, 0x3, 0x2, 0x2, 0x2, 0x200, 0x45, 0x3, 0x2, 0x2, 0x2, 0x201, 0x213, 
    0x7, 0x3, 0x2, 0x2, 0x202, 0x20a, 0x7, 0x2a, 0x2, 0x2, 0x203, 0x20b, 
    0x7, 0x2b, 0x2, 0x2, 0x204, 0x206, 0x5, 0x3e, 0x20, 0x2, 0x205, 0x204, 
    0x3, 0x2, 0x2, 0x2, 0x206, 0x209, 0x3, 0x2, 0x2, 0x2, 0x207, 0x205, 
    0x3, 0x2, 0x2, 0x2, 0x207, 0x208, 0x3, 0x2, 0x2, 0x2, 0x208, 0x20b, 
    0x3, 0x2, 0x2, 0x2, 0x209, 0x207, 0x3, 0x2, 0x2, 0x2, 0x20a, 0x203, 
    0x3, 0x2, 0x2, 0x2, 0x20a, 0x207, 0x3, 0x2, 0x2, 0x2, 0x20b, 0x214, 
    0x3, 0x2, 0x2, 0x2, 0x20c, 0x210, 0x7, 0xc, 0x2, 0x2, 0x20d, 0x20f, 
    0x5, 0x2c, 0x17, 0x2, 0x20e, 0x20d, 0x3, 0x2, 0x2, 0x2, 0x20f, 0x212, 
    0x3, 0x2, 0x2, 0x2, 0x210, 0x20e, 0x3, 0x2, 0x2, 0x2, 0x210, 0x211, 
    0x3, 0x2, 0x2, 0x2, 0x211, 0x214, 0x3, 0x2, 0x2, 0x2, 0x212, 0x210, 
    0x3, 0x2, 0x2, 0x2, 0x213, 0x202, 0x3, 0x2, 0x2, 0x2, 0x213, 0x20c, 
    0x3, 0x2, 0x2, 0x2, 0x214, 0x215, 0x3, 0x2, 0x2, 0x2, 0x215, 0x216, 
    0x7, 0x4, 0x2, 0x2, 0x216, 0x47, 0x3, 0x2, 0x2, 0x2, 0x217, 0x219, 0x7, 
    0x1f, 0x2, 0x2, 0x218, 0x21a, 0x5, 0xa, 0x6, 0x2, 0x219, 0x218, 0x3, 
    0x2, 0x2, 0x2, 0x219, 0x21a, 0x3, 0x2, 0x2, 0x2, 0x21a, 0x21b, 0x3, 
    0x2, 0x2, 0x2, 0x21b, 0x21c, 0x5, 0x4a, 0x26, 0x2, 0x21c, 0x21d, 0x5, 
    0x14, 0xb, 0x2, 0x21d, 0x49, 0x3, 0x2, 0x2, 0x2, 0x21e, 0x21f, 0x7, 
    0x3, 0x2, 0x2, 0x21f, 0x220, 0x7, 0x2c, 0x2, 0x2, 0x220, 0x221, 0x5, 
    0x5a, 0x2e, 0x2, 0x221, 0x222, 0x7, 0x4, 0x2, 0x2, 0x222, 0x4b, 0x3, 
    0x2, 0x2, 0x2, 0x223, 0x225, 0x7, 0x20, 0x2, 0x2, 0x224, 0x226, 0x5, 
    0xa, 0x6, 0x2, 0x225, 0x224, 0x3, 0x2, 0x2, 0x2, 0x225, 0x226, 0x3, 
    0x2, 0x2, 0x2, 0x226, 0x227, 0x3, 0x2, 0x2, 0x2, 0x227, 0x228, 0x5, 
    0x4a, 0x26, 0x2, 0x228, 0x22a, 0x5, 0x4e, 0x28, 0x2, 0x229, 0x22b, 0x5, 
    0x50, 0x29, 0x2, 0x22a, 0x229, 0x3, 0x2, 0x2, 0x2, 0x22a, 0x22b, 0x3, 
    0x2, 0x2, 0x2, 0x22b, 0x4d, 0x3, 0x2, 0x2, 0x2, 0x22c, 0x22d, 0x7, 0x3, 
    0x2, 0x2, 0x22d, 0x231, 0x7, 0x2d, 0x2, 0x2, 0x22e, 0x230, 0x5, 0x2c, 
    0x17, 0x2, 0x22f, 0x22e, 0x3, 0x2, 0x2, 0x2, 0x230, 0x233, 0x3, 0x2, 
    0x2, 0x2, 0x231, 0x22f, 0x3, 0x2, 0x2, 0x2, 0x231, 0x232, 0x3, 0x2, 
    0x2, 0x2, 0x232, 0x234, 0x3, 0x2, 0x2, 0x2, 0x233, 0x231, 0x3, 0x2, 
    0x2, 0x2, 0x234, 0x235, 0x7, 0x4, 0x2, 0x2, 0x235, 0x4f, 0x3, 0x2, 0x2, 
    0x2, 0x236, 0x237, 0x7, 0x3, 0x2, 0x2, 0x237, 0x23b, 0x7, 0x2e, 0x2, 
    0x2, 0x238, 0x23a, 0x5, 0x2c, 0x17, 0x2, 0x239, 0x238, 0x3, 0x2, 0x2, 
    0x2, 0x23a, 0x23d, 0x3, 0x2, 0x2, 0x2, 0x23b, 0x239, 0x3, 0x2, 0x2, 
    0x2, 0x23b, 0x23c, 0x3, 0x2, 0x2, 0x2, 0x23c, 0x23e, 0x3, 0x2, 0x2, 
    0x2, 0x23d, 0x23b, 0x3, 0x2, 0x2, 0x2, 0x23e, 0x23f, 0x7, 0x4, 0x2, 
    0x2, 0x23f, 0x51, 0x3, 0x2, 0x2, 0x2, 0x240, 0x242, 0x7, 0x21, 0x2, 
    0x2, 0x241, 0x243, 0x5, 0xa, 0x6, 0x2, 0x242, 0x241, 0x3, 0x2, 0x2, 
    0x2, 0x242, 0x243, 0x3, 0x2, 0x2, 0x2, 0x243, 0x53, 0x3, 0x2, 0x2, 0x2, 
    0x244, 0x246, 0x7, 0x22, 0x2, 0x2, 0x245, 0x247, 0x5, 0xa, 0x6, 0x2, 
    0x246, 0x245, 0x3, 0x2, 0x2, 0x2, 0x246, 0x247, 0x3, 0x2, 0x2, 0x2, 
    0x247, 0x55, 0x3, 0x2, 0x2, 0x2, 0x248, 0x24a, 0x7, 0x23, 0x2, 0x2, 
    0x249, 0x24b, 0x5, 0xa, 0x6, 0x2, 0x24a, 0x249, 0x3, 0x2, 0x2, 0x2, 
    0x24a, 0x24b, 0x3, 0x2, 0x2, 0x2, 0x24b, 0x255, 0x3, 0x2, 0x2, 0x2, 
    0x24c, 0x24d, 0x7, 0x3, 0x2, 0x2, 0x24d, 0x251, 0x7, 0x2f, 0x2, 0x2, 
    0x24e, 0x250, 0x5, 0x5a, 0x2e, 0x2, 0x24f, 0x24e, 0x3, 0x2, 0x2, 0x2, 
    0x250, 0x253, 0x3, 0x2, 0x2, 0x2, 0x251, 0x24f, 0x3, 0x2, 0x2, 0x2, 
    0x251, 0x252, 0x3, 0x2, 0x2, 0x2, 0x252, 0x254, 0x3, 0x2, 0x2, 0x2, 
    0x253, 0x251, 0x3, 0x2, 0x2, 0x2, 0x254, 0x256, 0x7, 0x4, 0x2, 0x2, 
    0x255, 0x24c, 0x3, 0x2, 0x2, 0x2, 0x255, 0x256, 0x3, 0x2, 0x2, 0x2, 
    0x256, 0x57, 0x3, 0x2, 0x2, 0x2, 0x257, 0x259, 0x7, 0x24, 0x2, 0x2, 
    0x258, 0x25a, 0x5, 0xa, 0x6, 0x2, 0x259, 0x258, 0x3, 0x2, 0x2, 0x2, 
    0x259, 0x25a, 0x3, 0x2, 0x2, 0x2, 0x25a, 0x25b, 0x3, 0x2, 0x2, 0x2, 
    0x25b, 0x25c, 0x5, 0x5a, 0x2e, 0x2, 0x25c, 0x59, 0x3, 0x2, 0x2, 0x2, 
    0x25d, 0x25e, 0x7, 0x3, 0x2, 0x2, 0x25e, 0x25f, 0x5, 0x5c, 0x2f, 0x2, 
    0x25f, 0x260, 0x7, 0x4, 0x2, 0x2, 0x260, 0x5b, 0x3, 0x2, 0x2, 0x2, 0x261, 
    0x278, 0x5, 0x5e, 0x30, 0x2, 0x262, 0x278, 0x5, 0x64, 0x33, 0x2, 0x263, 
    0x278, 0x5, 0x68, 0x35, 0x2, 0x264, 0x278, 0x5, 0x6c, 0x37, 0x2, 0x265, 
    0x278, 0x5, 0x6e, 0x38, 0x2, 0x266, 0x278, 0x5, 0x70, 0x39, 0x2, 0x267, 
    0x278, 0x5, 0x74, 0x3b, 0x2, 0x268, 0x278, 0x5, 0x7e, 0x40, 0x2, 0x269, 
    0x278, 0x5, 0x80, 0x41, 0x2, 0x26a, 0x278, 0x5, 0x82, 0x42, 0x2, 0x26b, 
    0x278, 0x5, 0x84, 0x43, 0x2, 0x26c, 0x278, 0x5, 0x88, 0x45, 0x2, 0x26d, 
    0x278, 0x5, 0x8c, 0x47, 0x2, 0x26e, 0x278, 0x5, 0x8e, 0x48, 0x2, 0x26f, 
    0x278, 0x5, 0x92, 0x4a, 0x2, 0x270, 0x278, 0x5, 0x96, 0x4c, 0x2, 0x271, 
    0x278, 0x5, 0x98, 0x4d, 0x2, 0x272, 0x278, 0x5, 0x9a, 0x4e, 0x2, 0x273, 
    0x278, 0x5, 0x9c, 0x4f, 0x2, 0x274, 0x278, 0x5, 0xa0, 0x51, 0x2, 0x275, 
    0x278, 0x5, 0xa4, 0x53, 0x2, 0x276, 0x278, 0x5, 0x6a, 0x36, 0x2, 0x277, 
    0x261, 0x3, 0x2, 0x2, 0x2, 0x277, 0x262, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x263, 0x3, 0x2, 0x2, 0x2, 0x277, 0x264, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x265, 0x3, 0x2, 0x2, 0x2, 0x277, 0x266, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x267, 0x3, 0x2, 0x2, 0x2, 0x277, 0x268, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x269, 0x3, 0x2, 0x2, 0x2, 0x277, 0x26a, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x26b, 0x3, 0x2, 0x2, 0x2, 0x277, 0x26c, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x26d, 0x3, 0x2, 0x2, 0x2, 0x277, 0x26e, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x26f, 0x3, 0x2, 0x2, 0x2, 0x277, 0x270, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x271, 0x3, 0x2, 0x2, 0x2, 0x277, 0x272, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x273, 0x3, 0x2, 0x2, 0x2, 0x277, 0x274, 0x3, 0x2, 0x2, 0x2, 0x277, 
    0x275, 0x3, 0x2, 0x2, 0x2, 0x277, 0x276, 0x3, 0x2, 0x2, 0x2, 0x278, 
    0x5d, 0x3, 0x2, 0x2, 0x2, 0x279, 0x27a, 0x9, 0x3, 0x2, 0x2, 0x27a, 0x27b, 
    0x5, 0x16, 0xc, 0x2, 0x27b, 0x27c, 0x5, 0x60, 0x31, 0x2, 0x27c, 0x27d, 
    0x5, 0x62, 0x32, 0x2, 0x27d, 0x5f, 0x3, 0x2, 0x2, 0x2, 0x27e, 0x27f, 
    0x7, 0x3, 0x2, 0x2, 0x27f, 0x280, 0x7, 0x25, 0x2, 0x2, 0x280, 0x281, 
    0x5, 0x5a, 0x2e, 0x2, 0x281, 0x282, 0x7, 0x4, 0x2, 0x2, 0x282, 0x61, 
    0x3, 0x2, 0x2, 0x2, 0x283, 0x284, 0x7, 0x3, 0x2, 0x2, 0x284, 0x285, 
    0x7, 0x26, 0x2, 0x2, 0x285, 0x286, 0x5, 0x5a, 0x2e, 0x2, 0x286, 0x287, 
    0x7, 0x4, 0x2, 0x2, 0x287, 0x63, 0x3, 0x2, 0x2, 0x2, 0x288, 0x289, 0x9, 
    0x4, 0x2, 0x2, 0x289, 0x28a, 0x5, 0x16, 0xc, 0x2, 0x28a, 0x28b, 0x5, 
    0x66, 0x34, 0x2, 0x28b, 0x28c, 0x5, 0x66, 0x34, 0x2, 0x28c, 0x65, 0x3, 
    0x2, 0x2, 0x2, 0x28d, 0x293, 0x7, 0x3, 0x2, 0x2, 0x28e, 0x28f, 0x7, 
    0x25, 0x2, 0x2, 0x28f, 0x294, 0x5, 0x5a, 0x2e, 0x2, 0x290, 0x291, 0x7, 
    0x26, 0x2, 0x2, 0x291, 0x294, 0x5, 0x5a, 0x2e, 0x2, 0x292, 0x294, 0x5, 
    0x5c, 0x2f, 0x2, 0x293, 0x28e, 0x3, 0x2, 0x2, 0x2, 0x293, 0x290, 0x3, 
    0x2, 0x2, 0x2, 0x293, 0x292, 0x3, 0x2, 0x2, 0x2, 0x294, 0x295, 0x3, 
    0x2, 0x2, 0x2, 0x295, 0x296, 0x7, 0x4, 0x2, 0x2, 0x296, 0x67, 0x3, 0x2, 
    0x2, 0x2, 0x297, 0x298, 0x9, 0x5, 0x2, 0x2, 0x298, 0x299, 0x5, 0x16, 
    0xc, 0x2, 0x299, 0x29a, 0x5, 0x5a, 0x2e, 0x2, 0x29a, 0x69, 0x3, 0x2, 
    0x2, 0x2, 0x29b, 0x29c, 0x5, 0x16, 0xc, 0x2, 0x29c, 0x29d, 0x5, 0x5a, 
    0x2e, 0x2, 0x29d, 0x6b, 0x3, 0x2, 0x2, 0x2, 0x29e, 0x29f, 0x7, 0x3f, 
    0x2, 0x2, 0x29f, 0x2a0, 0x7, 0x68, 0x2, 0x2, 0x2a0, 0x2a1, 0x7, 0x84, 
    0x2, 0x2, 0x2a1, 0x2a2, 0x5, 0x16, 0xc, 0x2, 0x2a2, 0x6d, 0x3, 0x2, 
    0x2, 0x2, 0x2a3, 0x2a8, 0x7, 0x40, 0x2, 0x2, 0x2a4, 0x2a5, 0x7, 0x6e, 
    0x2, 0x2, 0x2a5, 0x2a9, 0x7, 0x84, 0x2, 0x2, 0x2a6, 0x2a7, 0x9, 0x6, 
    0x2, 0x2, 0x2a7, 0x2a9, 0x5, 0xaa, 0x56, 0x2, 0x2a8, 0x2a4, 0x3, 0x2, 
    0x2, 0x2, 0x2a8, 0x2a6, 0x3, 0x2, 0x2, 0x2, 0x2a9, 0x2aa, 0x3, 0x2, 
    0x2, 0x2, 0x2aa, 0x2ab, 0x5, 0x16, 0xc, 0x2, 0x2ab, 0x6f, 0x3, 0x2, 
    0x2, 0x2, 0x2ac, 0x2b0, 0x7, 0x41, 0x2, 0x2, 0x2ad, 0x2af, 0x5, 0x72, 
    0x3a, 0x2, 0x2ae, 0x2ad, 0x3, 0x2, 0x2, 0x2, 0x2af, 0x2b2, 0x3, 0x2, 
    0x2, 0x2, 0x2b0, 0x2ae, 0x3, 0x2, 0x2, 0x2, 0x2b0, 0x2b1, 0x3, 0x2, 
    0x2, 0x2, 0x2b1, 0x2b3, 0x3, 0x2, 0x2, 0x2, 0x2b2, 0x2b0, 0x3, 0x2, 
    0x2, 0x2, 0x2b3, 0x2b4, 0x5, 0x16, 0xc, 0x2, 0x2b4, 0x71, 0x3, 0x2, 
    0x2, 0x2, 0x2b5, 0x2b6, 0x9, 0x7, 0x2, 0x2, 0x2b6, 0x2b7, 0x5, 0xaa, 
    0x56, 0x2, 0x2b7, 0x73, 0x3, 0x2, 0x2, 0x2, 0x2b8, 0x2bc, 0x7, 0x42, 
    0x2, 0x2, 0x2b9, 0x2bb, 0x5, 0x76, 0x3c, 0x2, 0x2ba, 0x2b9, 0x3, 0x2, 
    0x2, 0x2, 0x2bb, 0x2be, 0x3, 0x2, 0x2, 0x2, 0x2bc, 0x2ba, 0x3, 0x2, 
    0x2, 0x2, 0x2bc, 0x2bd, 0x3, 0x2, 0x2, 0x2, 0x2bd, 0x2bf, 0x3, 0x2, 
    0x2, 0x2, 0x2be, 0x2bc, 0x3, 0x2, 0x2, 0x2, 0x2bf, 0x2c0, 0x5, 0x16, 
    0xc, 0x2, 0x2c0, 0x2c1, 0x5, 0x78, 0x3d, 0x2, 0x2c1, 0x75, 0x3, 0x2, 
    0x2, 0x2, 0x2c2, 0x2c3, 0x7, 0x73, 0x2, 0x2, 0x2c3, 0x2cb, 0x7, 0x84, 
    0x2, 0x2, 0x2c4, 0x2c5, 0x7, 0x74, 0x2, 0x2, 0x2c5, 0x2cb, 0x5, 0xa8, 
    0x55, 0x2, 0x2c6, 0x2c7, 0x7, 0x5d, 0x2, 0x2, 0x2c7, 0x2cb, 0x5, 0xa8, 
    0x55, 0x2, 0x2c8, 0x2c9, 0x7, 0x5e, 0x2, 0x2, 0x2c9, 0x2cb, 0x5, 0xa8, 
    0x55, 0x2, 0x2ca, 0x2c2, 0x3, 0x2, 0x2, 0x2, 0x2ca, 0x2c4, 0x3, 0x2, 
    0x2, 0x2, 0x2ca, 0x2c6, 0x3, 0x2, 0x2, 0x2, 0x2ca, 0x2c8, 0x3, 0x2, 
    0x2, 0x2, 0x2cb, 0x77, 0x3, 0x2, 0x2, 0x2, 0x2cc, 0x2cd, 0x7, 0x3, 0x2, 
    0x2, 0x2cd, 0x2cf, 0x7, 0x43, 0x2, 0x2, 0x2ce, 0x2d0, 0x5, 0x7a, 0x3e, 
    0x2, 0x2cf, 0x2ce, 0x3, 0x2, 0x2, 0x2, 0x2d0, 0x2d1, 0x3, 0x2, 0x2, 
    0x2, 0x2d1, 0x2cf, 0x3, 0x2, 0x2, 0x2, 0x2d1, 0x2d2, 0x3, 0x2, 0x2, 
    0x2, 0x2d2, 0x2d3, 0x3, 0x2, 0x2, 0x2, 0x2d3, 0x2d4, 0x7, 0x4, 0x2, 
    0x2, 0x2d4, 0x79, 0x3, 0x2, 0x2, 0x2, 0x2d5, 0x2d6, 0x7, 0x3, 0x2, 0x2, 
    0x2d6, 0x2da, 0x7, 0x42, 0x2, 0x2, 0x2d7, 0x2d9, 0x5, 0x7c, 0x3f, 0x2, 
    0x2d8, 0x2d7, 0x3, 0x2, 0x2, 0x2, 0x2d9, 0x2dc, 0x3, 0x2, 0x2, 0x2, 
    0x2da, 0x2d8, 0x3, 0x2, 0x2, 0x2, 0x2da, 0x2db, 0x3, 0x2, 0x2, 0x2, 
    0x2db, 0x2dd, 0x3, 0x2, 0x2, 0x2, 0x2dc, 0x2da, 0x3, 0x2, 0x2, 0x2, 
    0x2dd, 0x2de, 0x5, 0x5a, 0x2e, 0x2, 0x2de, 0x2df, 0x7, 0x4, 0x2, 0x2, 
    0x2df, 0x7b, 0x3, 0x2, 0x2, 0x2, 0x2e0, 0x2e1, 0x9, 0x8, 0x2, 0x2, 0x2e1, 
    0x2e2, 0x5, 0xa8, 0x55, 0x2, 0x2e2, 0x7d, 0x3, 0x2, 0x2, 0x2, 0x2e3, 
    0x2e4, 0x7, 0x44, 0x2, 0x2, 0x2e4, 0x2e5, 0x7, 0x79, 0x2, 0x2, 0x2e5, 
    0x2e6, 0x5, 0xac, 0x57, 0x2, 0x2e6, 0x2e7, 0x5, 0x16, 0xc, 0x2, 0x2e7, 
    0x2e8, 0x5, 0x86, 0x44, 0x2, 0x2e8, 0x7f, 0x3, 0x2, 0x2, 0x2, 0x2e9, 
    0x2ea, 0x7, 0x45, 0x2, 0x2, 0x2ea, 0x2eb, 0x7, 0x79, 0x2, 0x2, 0x2eb, 
    0x2ec, 0x5, 0xac, 0x57, 0x2, 0x2ec, 0x2ed, 0x5, 0x16, 0xc, 0x2, 0x2ed, 
    0x81, 0x3, 0x2, 0x2, 0x2, 0x2ee, 0x2ef, 0x7, 0x46, 0x2, 0x2, 0x2ef, 
    0x2f0, 0x7, 0x7a, 0x2, 0x2, 0x2f0, 0x2f1, 0x5, 0xac, 0x57, 0x2, 0x2f1, 
    0x2f2, 0x5, 0x16, 0xc, 0x2, 0x2f2, 0x2f3, 0x5, 0x86, 0x44, 0x2, 0x2f3, 
    0x83, 0x3, 0x2, 0x2, 0x2, 0x2f4, 0x2f5, 0x7, 0x48, 0x2, 0x2, 0x2f5, 
    0x2f6, 0x7, 0x7b, 0x2, 0x2, 0x2f6, 0x2f7, 0x5, 0xac, 0x57, 0x2, 0x2f7, 
    0x2f8, 0x5, 0x16, 0xc, 0x2, 0x2f8, 0x2f9, 0x5, 0x86, 0x44, 0x2, 0x2f9, 
    0x85, 0x3, 0x2, 0x2, 0x2, 0x2fa, 0x2fb, 0x7, 0x3, 0x2, 0x2, 0x2fb, 0x2ff, 
    0x7, 0x47, 0x2, 0x2, 0x2fc, 0x2fe, 0x5, 0x5a, 0x2e, 0x2, 0x2fd, 0x2fc, 
    0x3, 0x2, 0x2, 0x2, 0x2fe, 0x301, 0x3, 0x2, 0x2, 0x2, 0x2ff, 0x2fd, 
    0x3, 0x2, 0x2, 0x2, 0x2ff, 0x300, 0x3, 0x2, 0x2, 0x2, 0x300, 0x302, 
    0x3, 0x2, 0x2, 0x2, 0x301, 0x2ff, 0x3, 0x2, 0x2, 0x2, 0x302, 0x303, 
    0x7, 0x4, 0x2, 0x2, 0x303, 0x87, 0x3, 0x2, 0x2, 0x2, 0x304, 0x308, 0x7, 
    0x49, 0x2, 0x2, 0x305, 0x307, 0x5, 0x8a, 0x46, 0x2, 0x306, 0x305, 0x3, 
    0x2, 0x2, 0x2, 0x307, 0x30a, 0x3, 0x2, 0x2, 0x2, 0x308, 0x306, 0x3, 
    0x2, 0x2, 0x2, 0x308, 0x309, 0x3, 0x2, 0x2, 0x2, 0x309, 0x30b, 0x3, 
    0x2, 0x2, 0x2, 0x30a, 0x308, 0x3, 0x2, 0x2, 0x2, 0x30b, 0x30c, 0x5, 
    0x16, 0xc, 0x2, 0x30c, 0x89, 0x3, 0x2, 0x2, 0x2, 0x30d, 0x30e, 0x9, 
    0x9, 0x2, 0x2, 0x30e, 0x30f, 0x7, 0x84, 0x2, 0x2, 0x30f, 0x8b, 0x3, 
    0x2, 0x2, 0x2, 0x310, 0x311, 0x7, 0x4a, 0x2, 0x2, 0x311, 0x312, 0x9, 
    0xa, 0x2, 0x2, 0x312, 0x313, 0x7, 0x84, 0x2, 0x2, 0x313, 0x314, 0x5, 
    0x16, 0xc, 0x2, 0x314, 0x8d, 0x3, 0x2, 0x2, 0x2, 0x315, 0x316, 0x7, 
    0x4b, 0x2, 0x2, 0x316, 0x317, 0x5, 0x16, 0xc, 0x2, 0x317, 0x318, 0x5, 
    0x90, 0x49, 0x2, 0x318, 0x8f, 0x3, 0x2, 0x2, 0x2, 0x319, 0x31a, 0x7, 
    0x3, 0x2, 0x2, 0x31a, 0x31e, 0x9, 0xb, 0x2, 0x2, 0x31b, 0x31d, 0x5, 
    0x5a, 0x2e, 0x2, 0x31c, 0x31b, 0x3, 0x2, 0x2, 0x2, 0x31d, 0x320, 0x3, 
    0x2, 0x2, 0x2, 0x31e, 0x31c, 0x3, 0x2, 0x2, 0x2, 0x31e, 0x31f, 0x3, 
    0x2, 0x2, 0x2, 0x31f, 0x321, 0x3, 0x2, 0x2, 0x2, 0x320, 0x31e, 0x3, 
    0x2, 0x2, 0x2, 0x321, 0x322, 0x7, 0x4, 0x2, 0x2, 0x322, 0x91, 0x3, 0x2, 
    0x2, 0x2, 0x323, 0x327, 0x7, 0x4e, 0x2, 0x2, 0x324, 0x326, 0x5, 0x94, 
    0x4b, 0x2, 0x325, 0x324, 0x3, 0x2, 0x2, 0x2, 0x326, 0x329, 0x3, 0x2, 
    0x2, 0x2, 0x327, 0x325, 0x3, 0x2, 0x2, 0x2, 0x327, 0x328, 0x3, 0x2, 
    0x2, 0x2, 0x328, 0x32a, 0x3, 0x2, 0x2, 0x2, 0x329, 0x327, 0x3, 0x2, 
    0x2, 0x2, 0x32a, 0x32b, 0x5, 0x16, 0xc, 0x2, 0x32b, 0x93, 0x3, 0x2, 
    0x2, 0x2, 0x32c, 0x32d, 0x9, 0xc, 0x2, 0x2, 0x32d, 0x32e, 0x7, 0x84, 
    0x2, 0x2, 0x32e, 0x95, 0x3, 0x2, 0x2, 0x2, 0x32f, 0x330, 0x7, 0x4f, 
    0x2, 0x2, 0x330, 0x331, 0x5, 0x16, 0xc, 0x2, 0x331, 0x332, 0x5, 0x5a, 
    0x2e, 0x2, 0x332, 0x333, 0x5, 0x5a, 0x2e, 0x2, 0x333, 0x97, 0x3, 0x2, 
    0x2, 0x2, 0x334, 0x335, 0x7, 0x50, 0x2, 0x2, 0x335, 0x336, 0x7, 0x68, 
    0x2, 0x2, 0x336, 0x337, 0x7, 0x84, 0x2, 0x2, 0x337, 0x338, 0x5, 0x16, 
    0xc, 0x2, 0x338, 0x99, 0x3, 0x2, 0x2, 0x2, 0x339, 0x33a, 0x7, 0x51, 
    0x2, 0x2, 0x33a, 0x33b, 0x7, 0x68, 0x2, 0x2, 0x33b, 0x33c, 0x7, 0x84, 
    0x2, 0x2, 0x33c, 0x33d, 0x5, 0x16, 0xc, 0x2, 0x33d, 0x9b, 0x3, 0x2, 
    0x2, 0x2, 0x33e, 0x341, 0x7, 0x52, 0x2, 0x2, 0x33f, 0x340, 0x7, 0x5c, 
    0x2, 0x2, 0x340, 0x342, 0x5, 0xa8, 0x55, 0x2, 0x341, 0x33f, 0x3, 0x2, 
    0x2, 0x2, 0x341, 0x342, 0x3, 0x2, 0x2, 0x2, 0x342, 0x346, 0x3, 0x2, 
    0x2, 0x2, 0x343, 0x345, 0x5, 0x9e, 0x50, 0x2, 0x344, 0x343, 0x3, 0x2, 
    0x2, 0x2, 0x345, 0x348, 0x3, 0x2, 0x2, 0x2, 0x346, 0x344, 0x3, 0x2, 
    0x2, 0x2, 0x346, 0x347, 0x3, 0x2, 0x2, 0x2, 0x347, 0x9d, 0x3, 0x2, 0x2, 
    0x2, 0x348, 0x346, 0x3, 0x2, 0x2, 0x2, 0x349, 0x351, 0x7, 0x3, 0x2, 
    0x2, 0x34a, 0x34b, 0x7, 0x53, 0x2, 0x2, 0x34b, 0x352, 0x5, 0x5a, 0x2e, 
    0x2, 0x34c, 0x34d, 0x7, 0x54, 0x2, 0x2, 0x34d, 0x352, 0x5, 0x5a, 0x2e, 
    0x2, 0x34e, 0x34f, 0x7, 0x55, 0x2, 0x2, 0x34f, 0x352, 0x5, 0x5a, 0x2e, 
    0x2, 0x350, 0x352, 0x5, 0x18, 0xd, 0x2, 0x351, 0x34a, 0x3, 0x2, 0x2, 
    0x2, 0x351, 0x34c, 0x3, 0x2, 0x2, 0x2, 0x351, 0x34e, 0x3, 0x2, 0x2, 
    0x2, 0x351, 0x350, 0x3, 0x2, 0x2, 0x2, 0x352, 0x353, 0x3, 0x2, 0x2, 
    0x2, 0x353, 0x354, 0x7, 0x4, 0x2, 0x2, 0x354, 0x9f, 0x3, 0x2, 0x2, 0x2, 
    0x355, 0x356, 0x7, 0x56, 0x2, 0x2, 0x356, 0x358, 0x5, 0x16, 0xc, 0x2, 
    0x357, 0x359, 0x5, 0xa2, 0x52, 0x2, 0x358, 0x357, 0x3, 0x2, 0x2, 0x2, 
    0x359, 0x35a, 0x3, 0x2, 0x2, 0x2, 0x35a, 0x358, 0x3, 0x2, 0x2, 0x2, 
    0x35a, 0x35b, 0x3, 0x2, 0x2, 0x2, 0x35b, 0xa1, 0x3, 0x2, 0x2, 0x2, 0x35c, 
    0x35d, 0x7, 0x3, 0x2, 0x2, 0x35d, 0x35e, 0x5, 0x9c, 0x4f, 0x2, 0x35e, 
    0x35f, 0x7, 0x4, 0x2, 0x2, 0x35f, 0xa3, 0x3, 0x2, 0x2, 0x2, 0x360, 0x364, 
    0x7, 0x57, 0x2, 0x2, 0x361, 0x363, 0x5, 0xa6, 0x54, 0x2, 0x362, 0x361, 
    0x3, 0x2, 0x2, 0x2, 0x363, 0x366, 0x3, 0x2, 0x2, 0x2, 0x364, 0x362, 
    0x3, 0x2, 0x2, 0x2, 0x364, 0x365, 0x3, 0x2, 0x2, 0x2, 0x365, 0x367, 
    0x3, 0x2, 0x2, 0x2, 0x366, 0x364, 0x3, 0x2, 0x2, 0x2, 0x367, 0x368, 
    0x5, 0x16, 0xc, 0x2, 0x368, 0x369, 0x5, 0x78, 0x3d, 0x2, 0x369, 0x36a, 
    0x5, 0x86, 0x44, 0x2, 0x36a, 0xa5, 0x3, 0x2, 0x2, 0x2, 0x36b, 0x36c, 
    0x7, 0x7f, 0x2, 0x2, 0x36c, 0x370, 0x5, 0xac, 0x57, 0x2, 0x36d, 0x36e, 
    0x7, 0x73, 0x2, 0x2, 0x36e, 0x370, 0x7, 0x84, 0x2, 0x2, 0x36f, 0x36b, 
    0x3, 0x2, 0x2, 0x2, 0x36f, 0x36d, 0x3, 0x2, 0x2, 0x2, 0x370, 0xa7, 0x3, 
    0x2, 0x2, 0x2, 0x371, 0x372, 0x9, 0xd, 0x2, 0x2, 0x372, 0xa9, 0x3, 0x2, 
    0x2, 0x2, 0x373, 0x374, 0x9, 0xe, 0x2, 0x2, 0x374, 0xab, 0x3, 0x2, 0x2, 
    0x2, 0x375, 0x378, 0x5, 0xae, 0x58, 0x2, 0x376, 0x378, 0x7, 0x86, 0x2, 
    0x2, 0x377, 0x375, 0x3, 0x2, 0x2, 0x2, 0x377, 0x376, 0x3, 0x2, 0x2, 
    0x2, 0x378, 0xad, 0x3, 0x2, 0x2, 0x2, 0x379, 0x37a, 0x9, 0xf, 0x2, 0x2, 
    0x37a, 0xaf, 0x3, 0x2, 0x2, 0x2, 0x4d, 0xb5, 0xbd, 0xdd, 0xe3, 0xe7, 
    0xed, 0xf1, 0xf6, 0xf9, 0xfd, 0x10d, 0x118, 0x11f, 0x132, 0x13c, 0x145, 
    0x14a, 0x150, 0x159, 0x15f, 0x165, 0x16a, 0x170, 0x178, 0x17f, 0x183, 
    0x18b, 0x190, 0x1a0, 0x1a4, 0x1ae, 0x1b6, 0x1be, 0x1c6, 0x1ce, 0x1d2, 
    0x1dd, 0x1e7, 0x1f2, 0x1fa, 0x1ff, 0x207, 0x20a, 0x210, 0x213, 0x219, 
    0x225, 0x22a, 0x231, 0x23b, 0x242, 0x246, 0x24a, 0x251, 0x255, 0x259, 
    0x277, 0x293, 0x2a8, 0x2b0, 0x2bc, 0x2ca, 0x2d1, 0x2da, 0x2ff, 0x308, 
    0x31e, 0x327, 0x341, 0x346, 0x351, 0x35a, 0x364, 0x36f, 0x377, 
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
