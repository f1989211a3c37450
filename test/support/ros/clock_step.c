/* Preload for one process: CLOCK_REALTIME is ahead by the seconds that stand in $CLOCK_STEP_FILE,
   which it looks into every 0.1 s. Other clocks, and other processes, are as they were.

   Who waits for a time of that clock waits as long as if the whole computer had been set: one that
   is set back prolongs the wait. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#define LOOK 0.1
#define SINCE_1970 1000000000L /* no time since the start of a computer is as large */

static int (*real)(clockid_t, struct timespec *);

static double ahead(void) {
    static double read_at = -1.0, seconds;
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    double at = now.tv_sec + 1e-9 * now.tv_nsec;
    if (at - read_at > LOOK) {
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

/* The next end of a wait until DUE: it is made of short ones, since the clock may be set meanwhile.
   Returns 0 if DUE is over. */
static int next_part(const struct timespec *due, struct timespec *part) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double left = due->tv_sec - now.tv_sec + 1e-9 * (due->tv_nsec - now.tv_nsec);
    real(CLOCK_REALTIME, part);
    part->tv_nsec += (long)(1e9 * (left < LOOK ? left : LOOK));
    part->tv_sec += part->tv_nsec / 1000000000L;
    part->tv_nsec %= 1000000000L;
    return left > 0.0;
}

static void *find(const char *name, const char *version) {
    void *found = dlvsym(RTLD_NEXT, name, version);
    return found ? found : dlsym(RTLD_NEXT, name);
}

int sem_timedwait(sem_t *on, const struct timespec *due) {
    static int (*wait)(sem_t *, const struct timespec *);
    if (!wait) *(void **)&wait = find("sem_timedwait", "GLIBC_2.34");
    for (struct timespec part; next_part(due, &part);) {
        if (wait(on, &part) == 0) return 0;
        if (errno != ETIMEDOUT) return -1;
    }
    errno = ETIMEDOUT;
    return -1;
}

int pthread_mutex_timedlock(pthread_mutex_t *on, const struct timespec *due) {
    static int (*lock)(pthread_mutex_t *, const struct timespec *);
    if (!lock) *(void **)&lock = find("pthread_mutex_timedlock", "GLIBC_2.34");
    for (struct timespec part; next_part(due, &part);) {
        int code = lock(on, &part);
        if (code != ETIMEDOUT) return code;
    }
    return ETIMEDOUT;
}

/* Who signals between two parts of a wait is not heard, so that signals are counted, by the address
   of what they wake. */
#define ADDRESSES 4096
static atomic_uint signals[ADDRESSES];

static atomic_uint *signals_of(pthread_cond_t *on) {
    return &signals[(uintptr_t)on / sizeof(pthread_cond_t) % ADDRESSES];
}

int pthread_cond_signal(pthread_cond_t *on) {
    static int (*wake)(pthread_cond_t *);
    if (!wake) *(void **)&wake = find("pthread_cond_signal", "GLIBC_2.3.2");
    atomic_fetch_add(signals_of(on), 1);
    return wake(on);
}

int pthread_cond_broadcast(pthread_cond_t *on) {
    static int (*wake)(pthread_cond_t *);
    if (!wake) *(void **)&wake = find("pthread_cond_broadcast", "GLIBC_2.3.2");
    atomic_fetch_add(signals_of(on), 1);
    return wake(on);
}

int pthread_cond_timedwait(pthread_cond_t *on, pthread_mutex_t *held, const struct timespec *due) {
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!wait) *(void **)&wait = find("pthread_cond_timedwait", "GLIBC_2.3.2");
    if (due->tv_sec < SINCE_1970) return wait(on, held, due);
    unsigned before = atomic_load(signals_of(on));
    for (struct timespec part; next_part(due, &part);) {
        int code = wait(on, held, &part);
        if (code != ETIMEDOUT) return code;
        if (atomic_load(signals_of(on)) != before) return 0;
    }
    return ETIMEDOUT;
}
