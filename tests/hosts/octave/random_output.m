% Random functions that print: octave-cli --norc random_output.m PACKAGE SEED COUNT. Their text and results by compiled code, on the
% interpreter of VRIR, have to be those of Octave's interpreter. The last line has the counts; fails when one is wrong.
1;
addpath (fileparts (mfilename ('fullpath')));
function s = ex(d)
  l = {'x','y','n','z','b','i8','sg','1:n','x(1)','x''','y*2','n:-1:0','0:0.5:n','-x','x+1','y''','[x x]','[x;x]','eye(n)','zeros(n,2)','ones(2,n)*n','x>2','sum(x)','cumsum(x)','max(x)','sort(x)','x(:)','y(:,1)','y(1,:)','numel(x)','size(y)','''text''','t','[t t]','upper(t)','[]','zeros(0,3)','1e6*x','x/7','y/3','1e-7*x','NaN*x','x/0','1i*x','z*y','int8(x)','single(x)/3','uint8(y)','x==x','~b','diag(x)','inv(y+3*eye(size(y)))','y\y','round(x)','linspace(0,1,n)','repmat(n,1,3)','find(x>1)','fliplr(1:n)','(1:n)+0.5','2*(1:n)','(1:n)*x(1)','abs(x-3)','mod(x,3)','any(x)','true','pi','-pi*1e5','1e10','n/0','-n','x(end)','int8(n)-x(1)','bitand(n,3)','strrep(t,''e'',''E'')','num2str(n)','num2str(x)','mat2str(y)','sprintf(''%g;'',x)','double(t)','cos(x)','x.^2','{n,t}','{x}','reshape(1:6,2,3)','reshape(x,1,1,[])','permute(y,[2 1])','kron(x,[1 1])','isempty(x)','y(y>2)','tril(y)','abs(eye(n))','eye(n)(1,:)','eye(2)*y(1:min(2,end),1)','svd(y)'};
  s = l{ceil(rand*numel(l))};
  if d < 1 && rand < 0.15, s = [ex(d+1) '; w = ans']; end
end
function s = st()
  e = ex(0);
  switch ceil(rand*9)
    case {1,2}, s = sprintf('v = %s', e);
    case 3, s = sprintf('disp(%s)', strtok(e,';'));
    case 4, f = {'%d\n','%g %s|','%5.2f,','[%s]\n','%x %c\n','%i\n','% d%%\n','%-8g|','%+e\n','%s=%d\n'}{ceil(rand*10)}; s = sprintf('printf(''%s'', %s);', f, strtok(e,';'));
    case 5, s = sprintf('%s', e);
    case 6, s = sprintf('q.a = %s', strtok(e,';'));
    case 7, s = sprintf('v = %s; v(1) = v(end)', strtok(e,';'));
    case 8, s = sprintf('for k = 1:2, m = %s, end', strtok(e,';'));
    case 9, s = sprintf('if n > 1, v = %s; else, v = %s; end\nv', strtok(e,';'), strtok(ex(1),';'));
  end
end
function [t, args] = program ()
  b = ''; for i=1:ceil(rand*3), b = [b st() "\n"]; end
  t = sprintf("function r = f(n, x, y, z, b, i8, sg, t)\nr = 1;\n%send\n", b);
  args = {};
  try, eval(t); catch, t = ''; return; end
  k = ceil(rand*4);
  xs = {round(rand(1,k)*9), rand(1,k), (1:k), round(rand(k,1)*5), 2:2:2*k, -1:-1:-k}{ceil(rand*6)};
  ys = {magic(3), rand(2,3), full(eye(2)), round(rand(2)*3), full(diag([1 2 3])), full(eye(3)), zeros(2)}{ceil(rand*7)};
  args = {k, xs, ys, 1+2i, rand>0.5, int8(5), single(0.1), 'hello'(1:k)};
end
random_programs (1, @program);
