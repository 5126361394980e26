import { forbidden } from 'waymark'

export default function Secret(): never {
  forbidden()
}
