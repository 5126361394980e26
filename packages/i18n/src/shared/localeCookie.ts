/** Name of the cookie with the language that a visitor chose. */
export const localeCookie = 'waymark-locale'
