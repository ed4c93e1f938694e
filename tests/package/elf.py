"""Reads the data of an ELF file (64 bits, little-endian) that the dynamic linker uses; no tool of binutils is needed."""
import struct

PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 3, 0x6474E551, 0x6474E552
DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SONAME, DT_RPATH, DT_FLAGS, DT_RUNPATH = 1, 5, 6, 10, 14, 15, 30, 29
DT_TEXTREL, DT_FLAGS_1 = 22, 0x6FFFFFFB
DF_TEXTREL, DF_BIND_NOW, DF_STATIC_TLS, DF_1_NOW, DF_1_PIE = 4, 8, 16, 1, 0x08000000
SHT_DYNSYM = 11


class NotElf(Exception):
    pass


class Elf:
    """path, needed, soname, rpath, runpath (None: no such entry), interpreter, bind_now, pie, relro, executable_stack,
    text_relocations, static_tls (its thread storage must be there when the process starts); imports and exports (name -> first bytes of the function, of functions with code here)."""

    def __init__(self, path):
        self.path = str(path)
        with open(path, "rb") as f:
            self.data = f.read()
        d = self.data
        if d[:6] != b"\x7fELF\x02\x01":
            raise NotElf(path)
        self.type, self.machine = struct.unpack_from("<HH", d, 16)
        phoff, shoff = struct.unpack_from("<QQ", d, 32)
        phsize, phnum, shsize, shnum = struct.unpack_from("<HHHH", d, 54)
        self.loads, dynamic = [], None
        self.interpreter = self.relro = False
        self.executable_stack = True  # the kernel's default if there is no header
        for k in range(phnum):
            kind, flags, offset, address, _, file_size, _, _ = struct.unpack_from("<IIQQQQQQ", d, phoff + k * phsize)
            if kind == PT_LOAD:
                self.loads.append((address, offset, file_size))
            elif kind == PT_DYNAMIC:
                dynamic = offset, file_size
            elif kind == PT_INTERP:
                self.interpreter = True
            elif kind == PT_GNU_STACK:
                self.executable_stack = bool(flags & 1)
            elif kind == PT_GNU_RELRO:
                self.relro = True
        entries = []
        if dynamic:
            for at in range(dynamic[0], dynamic[0] + dynamic[1], 16):
                tag, value = struct.unpack_from("<QQ", d, at)
                if tag == 0:
                    break
                entries.append((tag, value))
        one = dict(entries)
        strings = self.offset(one[DT_STRTAB]) if DT_STRTAB in one else 0
        text = lambda at: d[strings + at:d.index(b"\0", strings + at)].decode()
        self.needed = [text(v) for t, v in entries if t == DT_NEEDED]
        self.soname = text(one[DT_SONAME]) if DT_SONAME in one else None
        self.rpath = text(one[DT_RPATH]) if DT_RPATH in one else None
        self.runpath = text(one[DT_RUNPATH]) if DT_RUNPATH in one else None
        flags, flags_1 = one.get(DT_FLAGS, 0), one.get(DT_FLAGS_1, 0)
        self.static_tls = bool(flags & DF_STATIC_TLS)
        self.bind_now = bool(flags & DF_BIND_NOW or flags_1 & DF_1_NOW)
        self.pie = self.type == 3 and bool(flags_1 & DF_1_PIE or self.interpreter)
        self.text_relocations = DT_TEXTREL in one or bool(flags & DF_TEXTREL)
        self.imports, self.exports = set(), {}
        for k in range(shnum):
            _, kind, _, _, offset, size = struct.unpack_from("<IIQQQQ", d, shoff + k * shsize)
            if kind != SHT_DYNSYM:
                continue
            for at in range(offset, offset + size, 24):
                name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", d, at)
                if not name:
                    continue
                if section == 0:
                    self.imports.add(text(name))
                elif info & 15 == 2:
                    code = self.offset(value)
                    self.exports[text(name)] = d[code:code + 4]

    def offset(self, address):
        for begin, offset, size in self.loads:
            if begin <= address < begin + size:
                return address - begin + offset
        raise NotElf(f"{self.path}: address {address:#x} lies in no segment")


def elf_files(folder):
    """Every program and shared library below the folder, except links."""
    import pathlib
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and not path.is_symlink() and "CMakeFiles" not in path.parts:
            with open(path, "rb") as f:
                if f.read(6) != b"\x7fELF\x02\x01":
                    continue
            try:
                elf = Elf(path)
            except (NotElf, struct.error, KeyError):
                continue
            if elf.type in (2, 3) and (elf.needed or elf.soname):
                yield elf
