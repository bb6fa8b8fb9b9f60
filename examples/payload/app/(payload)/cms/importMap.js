import { AccountLink as AccountLink_1c06d589907b5e3ec71a7bcc2dc39d55 } from '../../../lib/account-link'
import { CollectionCards as CollectionCards_f9c02e79a4aed9a3924487c0cd4cafb1 } from '@payloadcms/next/rsc'

/** @type import('payload').ImportMap */
export const importMap = {
  '/lib/account-link#AccountLink': AccountLink_1c06d589907b5e3ec71a7bcc2dc39d55,
  '@payloadcms/next/rsc#CollectionCards': CollectionCards_f9c02e79a4aed9a3924487c0cd4cafb1,
}
