% RUN: emit --args double
function r = f(x)
  r = x + 1
end
% EXPECT
% refused-printing.m:3:3: error: a statement that shows its value [unsupported]
%     end it with a semicolon
% exit 1
