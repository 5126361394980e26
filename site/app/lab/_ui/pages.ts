/** An experiment of the lab. */
export type Experiment = {
  readonly href: string
  readonly title: string
  /** What can be tried there, in one line. */
  readonly says: string
}

/** Some experiments under a heading of their own. */
export type LabGroup = { readonly title: string; readonly pages: readonly Experiment[] }

/** The lab's experiments, by what they are about. */
export const labGroups: readonly LabGroup[] = [
  {
    title: 'Rendering',
    pages: [
      {
        href: '/lab/streaming',
        title: 'Streaming',
        says: 'Three parts of a page, each as late as you say.',
      },
    ],
  },
  {
    title: 'Routing',
    pages: [
      {
        href: '/lab/layouts',
        title: 'Nested layouts',
        says: 'Counters in layouts keep counting while pages change.',
      },
    ],
  },
  {
    title: 'Answers',
    pages: [
      {
        href: '/lab/fallbacks',
        title: 'Fallback screens',
        says: '401, 403 and 404, with the status that really goes out.',
      },
    ],
  },
]
