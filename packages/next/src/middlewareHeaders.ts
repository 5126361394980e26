/** Header in which `NextResponse.rewrite()` passes its target to the framework. */
export const rewriteHeader = 'x-middleware-rewrite'

/** Header that marks a rewrite to the request's own URL with a different path or query. */
export const ofRequestHeader = 'x-middleware-rewrite-of-request'
