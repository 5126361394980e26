export default { prerender: ['/'] }
