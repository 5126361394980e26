/** The word of `NextResponse.rewrite()` to the framework. */
export const rewriteHeader = 'x-middleware-rewrite'

/** On a rewrite to the URL of the request, of which only path and query have changed. */
export const ofRequestHeader = 'x-middleware-rewrite-of-request'
