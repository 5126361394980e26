import { next } from 'waymark/server'
export default function proxy(request: Request) {
  void request.url
  return next()
}
