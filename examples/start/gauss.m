function s = gauss(f, n)
  s = 0;
  parfor i = 1:n
    s = s + f(i) ^ 2;
  end
end
