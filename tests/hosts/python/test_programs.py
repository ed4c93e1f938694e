"""Small programs with references, views, evaluation order, loops and branches, each compared with plain Python."""
import numpy as np
import pytest

from conftest import compare, function


def A(*shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


PROGRAMS = [
    ('a', """b=a
b+=1
return a,b""",
     lambda: (A(4),)),
    ('a', """b=a[1:]
b*=2
a=a+1
b[0]=9
return a,b""",
     lambda: (A(4),)),
    ('a', """x,y=a[0],a[1]
a[0]=7
return x,y,a""",
     lambda: (A(4, 3),)),
    ('a', """x=a[0]
y=a[1].copy()
a[0],a[1]=y,x
return a""",
     lambda: (A(4, 3),)),
    ('a,b', """a,b=b,a
a[0]=5
return a,b""",
     lambda: (A(3), A(3))),
    ('n', """s=0
for i in range(n):
    for j in range(n):
        if j==2: break
        s+=j
    else:
        s+=100
    if i==3: continue
    s+=i
else:
    s*=2
return s""",
     lambda: (5,)),
    ('n', """i=10
for i in range(n):
    i=i*2
return i""",
     lambda: (5,)),
    ('n', """s=0
k=0
while k<n:
    k+=1
    if k%2: continue
    if k>6: break
    s+=k
else:
    s=-s
return s,k""",
     lambda: (9,)),
    ('a', """for r in a:
    r+=1
    r=r*2
    r[0]=100
return a""",
     lambda: (A(3, 2),)),
    ('a', """b=a.T
b+=1
b[0]*=2
b[:,1]=7
return a,b""",
     lambda: (A(3, 2),)),
    ('a', """b=a.T[1:]
b[0,:]=a[0,0]
c=b.T
c[0]=-1
return a""",
     lambda: (A(3, 3),)),
    ('a', """a[:]=a.T
return a""",
     lambda: (A(3, 3),)),
    ('a', """a[1:]=a[:-1]
return a""",
     lambda: (A(5),)),
    ('a', """a[1:]+=a[:-1]
return a""",
     lambda: (A(5),)),
    ('a', """a[::-1]-=a
return a""",
     lambda: (A(5),)),
    ('a', """a+=a.T
return a""",
     lambda: (A(3, 3),)),
    ('a', """b=a[:,None]
a[0]=5
return b+a, b""",
     lambda: (A(3),)),
    ('a', """m=a>2
a[m]=a[m]+a[~m].sum()
return a,m""",
     lambda: (A(6),)),
    ('a,k', """a[k]+=1
return a""",
     lambda: (A(5), np.array([0, 0, 3]))),
    ('a', """i=len(a)-1
while i>=0 and a[i]>1:
    i-=1
return i, a[i]""",
     lambda: (A(5),)),
    ('a', """i=-1
s=0.0
for k in range(3):
    s+=a[i-k]
return s""",
     lambda: (A(5),)),
    ('a', """s=0.0
for k in range(-3,3):
    s+=a[k]*k
return s""",
     lambda: (A(5),)),
    ('a', """s=0.0
for k in range(4,-1,-1):
    s=s*2+a[k-1]
return s""",
     lambda: (A(5),)),
    ('a,n', """return a[n:], a[:n], a[n], a[-n:]""",
     lambda: (A(5), -2)),
    ('x', """y=x if x>0 else -x
z=0 if x>5 else x
return y,z""",
     lambda: (-2.5,)),
    ('x', """if x>0:
    y=1
else:
    y=2.5
return y*2""",
     lambda: (1.0,)),
    ('n', """t=(1,2.0)
for i in range(n):
    t=(t[1],t[0]+i)
return t""",
     lambda: (3,)),
    ('a', """def_=0
mx=a[0]
for v in a[1:]:
    if v>mx: mx=v
return mx""",
     lambda: (A(5),)),
    ('a', """b=np.zeros_like(a)
c=b
c[1]=3
b=b+1
return b,c""",
     lambda: (A(3),)),
    ('a', """b=a.reshape(3,2)
return b@b.T, b.sum()""",
     lambda: (A(6),)),
    ('a', """b=a.reshape(3,2).copy()
b[0,0]=5
return a,b""",
     lambda: (A(6),)),
    ('a', """return a.astype(np.int64)//2, a%3, -a//2, (-a)%3, divmod(7,-2), -7//2, 7%-3""",
     lambda: (A(6),)),
    ('a', """return a[...,0], a[0,...], a[None,...,None].shape""",
     lambda: (A(2, 3),)),
    ('a', """return np.max(a,axis=1,keepdims=True)-a, a-a.mean(axis=0)""",
     lambda: (A(2, 3),)),
    ('x', """return x//0.3, x%0.3, round(x), int(-x), int(np.floor(-x))""",
     lambda: (2.7,)),
    ('a', """a=a*2
a[0]=1
return a""",
     lambda: (A(3),)),
    ('a', """b=a
a=a*2
return a,b""",
     lambda: (A(3),)),
    ('a', """if a[0]==0:
    a=a[1:]
a[0]=50
return a""",
     lambda: (A(3),)),
    ('a,f', """if f:
    b=a
else:
    b=a.copy()
b[0]=5
return a,b""",
     lambda: (A(3), True)),
    ('n', """a=np.zeros(3)
for i in range(n):
    b=a
    a=np.ones(3)*i
    b[0]=i+10
return a,b""",
     lambda: (3,)),
    ('n', """x=np.int32(7)
y=x*n
return y, x/2, x//2, x**2, -x""",
     lambda: (3,)),
    ('x', """return x**0.5, (-8.0)**2, 2**x, x**-1, 10**-2""",
     lambda: (2.25,)),
    ('z', """return z*z, abs(z), z/2, z**2, z==z, z.real+z.imag*1j, complex(1,2)*z""",
     lambda: (1 + 2j,)),
    ('a', """return sum([v for v in (1,2,3)]), [x*2 for x in range(3)][1], max(v for v in (1,5,2)), a.shape[::-1]""",
     lambda: (A(2, 3),)),
    ('a', """x=0.0
for i,(p,q) in enumerate(zip(a[:-1],a[1:])):
    x+=i*p-q
return x""",
     lambda: (A(5),)),
    ('a', """s=0
for i in range(a.shape[0]):
    for j in range(i):
        if a[i,j]>a[j,i]:
            s+=1
            continue
        s-=1
return s""",
     lambda: (A(4, 4),)),
    ('a', """a.sort()
b=np.sort(-a)
return a,b""",
     lambda: (np.array([3.0, 1.0, 2.0]),)),
    ('a', """return (a>1)&(a<4)|(a==0), ~(a>2), (a>1)^(a>2), not a[0]""",
     lambda: (A(5),)),
    ('a,b', """return a@b, (a@b)[0], (a.T@a)[0,1], a.dot(b)[1:]""",
     lambda: (A(3, 3), A(3))),
    ('a', """c=a.copy()
c[a>2]=-1
c[1,:]=c[:,1]
return c""",
     lambda: (A(3, 3),)),
    ('a', """a[0,:]=1
a[:,0]=a[0,:]*3
a[1:,1:]=a[:-1,:-1]
return a""",
     lambda: (A(3, 3),)),
    ('a', """return np.where(a>1,a,np.nan), np.where(a>2,1,0), np.where(a[0]>5,a,-a)""",
     lambda: (A(4),)),
    ('n', """s=0
for i in range(3):
    n=n+1
    for j in range(n):
        n=n-1
        s+=1
return s,n""",
     lambda: (2,)),
    ('x', """y=x
x+=1
return x,y""",
     lambda: (3,)),
    ('a', """y=a[0]
a[0]+=1
return y,a""",
     lambda: (A(3),)),
    ('a', """k=a.argmax()
return a[k], k, a[:k]""",
     lambda: (A(3),)),
    ('s', """return s==(2,3), s[0]<s[1], len(s), s+(4,), 3 in s""",
     lambda: ((2, 3),)),
    ('a', """t=0.0
for v in a.T:
    t+=v[0]
for v in a[:, ::-1]:
    t-=v[0]*2
return t""",
     lambda: (A(2, 3),)),
    ('a', """a[a<2],b=0,1
return a,b""",
     lambda: (A(4),)),
    ('a', """x=y=a[0]
x+=1
b=c=a
b[1]=9
return x,y,c""",
     lambda: (A(3),)),
]

# `int` on one path and `float` on another becomes `float` on both (docs/python.md).
JOINED = ("y = 2.5", "y=2.5", "t=(t[1]")


@pytest.mark.parametrize("arguments, body, values", PROGRAMS, ids=lambda p: p[:40].replace("\n", "; ") if isinstance(p, str) else "")
def test_program(arguments, body, values):
    compare(function(arguments, body), *values(), types=not any(j in body for j in JOINED))
