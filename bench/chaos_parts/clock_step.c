/* Preload for one process: CLOCK_REALTIME is ahead by the seconds that stand in $CLOCK_STEP_FILE,
   which it looks into every 0.1 s. Other clocks, and other processes, are as they were. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);

static double ahead(void) {
    static double read_at = -1.0, seconds;
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    double at = now.tv_sec + 1e-9 * now.tv_nsec;
    if (at - read_at > 0.1) {
        const char *path = getenv("CLOCK_STEP_FILE");
        FILE *file = path ? fopen(path, "r") : NULL;
        double found;
        if (file) {
            if (fscanf(file, "%lf", &found) == 1) seconds = found;
            fclose(file);
        }
        read_at = at;
    }
    return seconds;
}

int clock_gettime(clockid_t id, struct timespec *to) {
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(id, to);
    if (code == 0 && id == CLOCK_REALTIME) {
        double shift = ahead(), whole = floor(shift);
        to->tv_sec += (time_t)whole;
        to->tv_nsec += (long)(1e9 * (shift - whole));
        if (to->tv_nsec >= 1000000000L) {
            to->tv_nsec -= 1000000000L;
            to->tv_sec += 1;
        }
    }
    return code;
}

int gettimeofday(struct timeval *to, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    to->tv_sec = now.tv_sec;
    to->tv_usec = now.tv_nsec / 1000;
    return 0;
}
