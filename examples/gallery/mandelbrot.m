% Steps until the orbit of a point leaves the circle of radius 2 (docs/gallery.md).
function out = mandelbrot (n, limit)
  out = zeros (n);
  for i = 1:n
    for j = 1:n
      x0 = -2.2 + 3 * (j - 1) / n;
      y0 = -1.5 + 3 * (i - 1) / n;
      x = 0;
      y = 0;
      k = 0;
      while k < limit && x * x + y * y < 4
        t = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = t;
        k = k + 1;
      end
      out(i, j) = log (1 + k);
    end
  end
end
