// runneld: the program's entry point.
#include <cstdio>

#include "daemon/version.h"

int main() {
  std::printf("runneld %s\n", runnel::daemon::version().data());
  return 0;
}
