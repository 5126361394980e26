/** The tag of what is kept on the caching page. */
export const readingTag = 'lab-reading'
