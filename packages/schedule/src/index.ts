export { defineJobs, type Job, type JobContext } from './defineJobs.ts'
export type { JobTimes } from './dueTimes.ts'
