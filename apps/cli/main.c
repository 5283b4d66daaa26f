// The program `tenon`: finds the subcommand, gives help, and answers for standard output.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands.h"

static const tn_command *const commands[] = {
    &tn_command_serve, &tn_command_connect, &tn_command_cert, &tn_command_speed, &tn_command_help,
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const tn_command *find(const char *name) {
  for (size_t i = 0; i < COUNT(commands); i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  }
  return NULL;
}

static void print_overview(FILE *to) {
  fputs(
      "Usage: tenon COMMAND [ARGUMENT]...\n"
      "\n"
      "TLS for whoever needs it: a server, a client, certificates, and how fast it is.\n"
      "\n"
      "Commands:\n",
      to);
  for (size_t i = 0; i < COUNT(commands); i++) fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fputs(
      "\n"
      "`tenon help COMMAND` or `tenon COMMAND --help` tells more; `tenon --version` tells the version.\n"
      "Exit status: 0 success, 1 a failed operation, 2 bad usage.\n",
      to);
}

static int unknown_command(const char *name) {
  fprintf(stderr, "tenon: there is no command `%s`\nTry `tenon help`.\n", name);
  return 2;
}

static int run_help(int argc, char **argv) {
  if (argc > 2) return tn_usage_error(&tn_command_help, "help takes one command at most");
  if (argc < 2) {
    print_overview(stdout);
    return 0;
  }
  const tn_command *command = find(argv[1]);
  if (command == NULL) return unknown_command(argv[1]);
  fputs(command->usage, stdout);
  return 0;
}

const tn_command tn_command_help = {
    .name = "help",
    .summary = "tells about the commands",
    .usage =
        "Usage: tenon help [COMMAND]\n\nTells what a command does and takes; without one, which commands there are.\n",
    .run = run_help,
};

// Whether help is asked for before any `--`.
static bool wants_help(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0) return true;
  }
  return false;
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    print_overview(stderr);
    return 2;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_overview(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("tenon " TN_VERSION);
    return 0;
  }
  const tn_command *command = find(argv[1]);
  if (command == NULL) return unknown_command(argv[1]);
  if (wants_help(argc - 1, argv + 1)) {
    fputs(command->usage, stdout);
    return 0;
  }
  return command->run(argc - 1, argv + 1);
}

// Standard descriptors that were closed before us become ones that fail: a socket must never get their number.
static void hold_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
  }
}

int main(int argc, char **argv) {
  hold_standard_descriptors();
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write
  int status = dispatch(argc, argv);
  // A full disk or a closed pipe behind stdout is a failure, even where the command itself was content.
  bool broken = ferror(stdout) != 0;
  errno = 0;  // a failure before this one left it to whoever came next
  if (fclose(stdout) != 0 || broken) {
    tn_failed("standard output", errno != 0 ? strerror(errno) : "write error");
    if (status == 0) status = 1;
  }
  return status;
}
