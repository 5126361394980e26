/** The tag of the cached reading on the caching page. */
export const readingTag = 'lab-reading'
