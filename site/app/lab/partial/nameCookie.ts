/** The cookie that says who visits the page. */
export const nameCookie = 'lab-name'
