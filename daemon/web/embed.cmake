# Writes the files of daemon/web into a C++ source: cmake -D FOLDER=... -D FILES=a,b -D OUTPUT=... -P
string(REPLACE "," ";" files "${FILES}")
list(SORT files)
set(entries "")
foreach(path ${files})
  file(READ ${FOLDER}/${path} bytes HEX)
  file(SHA256 ${FOLDER}/${path} hash)
  string(SUBSTRING ${hash} 0 32 hash)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  # One literal may have 64 KiB everywhere, and lines of 80 bytes can be read by people.
  set(line "")
  foreach(_ RANGE 79)
    string(APPEND line "....")
  endforeach()
  string(REGEX REPLACE "(${line})" "\\1\"\n     \"" bytes "${bytes}")
  string(APPEND entries "    {\"${path}\",\n     {\"${bytes}\", ${size}},\n     \"${hash}\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by daemon/web/embed.cmake.
#include \"daemon/web/web_file.h\"

namespace runnel::daemon {

std::span<const WebFile> web_files() noexcept {
  static constexpr WebFile kFiles[] = {
${entries}  };
  return kFiles;
}

}  // namespace runnel::daemon
")
