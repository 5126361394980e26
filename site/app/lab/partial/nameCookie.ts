/** The cookie with the visitor's name. */
export const nameCookie = 'lab-name'
