import { unauthorized } from 'waymark'

export default function Members(): never {
  unauthorized()
}
