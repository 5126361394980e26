import type { ServerOptions } from 'waymark/server'

// overload.mjs compares a server that refuses requests with one that lets all of them wait.
export default {
  loadShedding: process.env.BENCH_LOAD_SHEDDING === 'off' ? false : {},
} satisfies ServerOptions
