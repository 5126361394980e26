/** Responds with what the app knows about the request. */
export function GET(request: Request) {
  const headers = new Headers()
  headers.append('set-cookie', 'first=1; Path=/')
  headers.append('set-cookie', 'second=a%2Cb; Path=/; Expires=Wed, 01 Jan 2031 00:00:00 GMT')
  return Response.json({ url: request.url, cookie: request.headers.get('cookie') }, { headers })
}
