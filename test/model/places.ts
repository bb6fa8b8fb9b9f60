import { KNOWN_PLACE } from './periods.ts'
import type { LimitName, ModelBrowser, Person } from './state.ts'

/** The networks and browsers in which people have completed a login. */
export class Places {
  readonly #now: () => number
  /** The time until which a network is known to a person. */
  readonly #networks = new Map<string, number>()
  #devices = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Makes network and browser known after a completed login. */
  add(browser: ModelBrowser, person: Person): void {
    const knownUntil = this.#now() + KNOWN_PLACE
    this.#networks.set(`${person.name} ${browser.network}`, knownUntil)
    const number = this.#deviceOf(browser, person) ?? (this.#devices += 1)
    browser.device = { person, number, knownUntil }
  }

  /** Returns the counts of a code across pending logins: by place, and of unknown places together. */
  countsOfCode(
    browser: ModelBrowser,
    person: Person,
  ): readonly (readonly [LimitName, ...string[]])[] {
    const { network } = browser
    const device = this.#deviceOf(browser, person)
    const place = device === null ? network : `device ${device}`
    const isKnown =
      device !== null || this.#now() < (this.#networks.get(`${person.name} ${network}`) ?? 0)
    return [
      ['two-factor.network', person.name, place],
      isKnown ? ['two-factor.place', person.name, place] : ['two-factor.user', person.name],
    ]
  }

  #deviceOf({ device }: ModelBrowser, person: Person): number | null {
    return device?.person === person && this.#now() < device.knownUntil ? device.number : null
  }
}
