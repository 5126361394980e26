import { notFound } from 'waymark'

export default function Own(): never {
  notFound()
}
