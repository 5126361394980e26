import { definePackage, type PackagePlugin } from 'waymark/plugin'

/** Options of `schedule()`. */
export type ScheduleOptions = {
  /** The file whose default export is the result of `defineJobs()`. */
  readonly jobs: URL
  /** True to run jobs in the dev server, too. Default: false. */
  readonly inDevelopment?: boolean
}

/**
 * Vite plugin of `@waymark/schedule`, which runs jobs on a schedule, once across all servers.
 * @example schedule({ jobs: new URL('./jobs.ts', import.meta.url) })
 */
export function schedule({ jobs, inDevelopment = false }: ScheduleOptions): PackagePlugin {
  return definePackage('@waymark/schedule', ({ command }) => ({
    server: { module: jobs, name: 'default' },
    options: { isRunning: command === 'build' || inDevelopment },
  }))
}
