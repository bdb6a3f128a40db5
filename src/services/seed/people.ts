import type { Random } from './random.ts';

const firstNames = [
  ...'Aisling Amara Ana Astrid Beatriz Björn Camille Chiara Daniel Diego Elif Emma Erik Fatima Freya'.split(
    ' ',
  ),
  ...'Gabriel Hannah Hugo Ines Ivan Jakub Jana Kaito Karim Lars Léa Liam Lucía Magda Mateo Mei Milan'.split(
    ' ',
  ),
  ...'Nadia Niamh Noah Olga Oscar Priya Rafael Sara Sean Sofie Tariq Theo Tomás Wanjiru Yasmin Zoë'.split(
    ' ',
  ),
];
const lastNames = [
  ...'Ahmed Almeida Andersen Baker Becker Bianchi Brennan Byrne Carvalho Chen Dahl Demir Dubois'.split(' '),
  ...'Evans Fernández Fischer García Gruber Haddad Hansen Horváth Hughes Ivanova Kamau Keller Kelly'.split(
    ' ',
  ),
  ...'Kowalska Larsen Lindqvist López Mori Müller Murphy Nguyen Novák Okafor Pereira Petit Quinn'.split(' '),
  ...'Rossi Santos Sato Sharma Silva Svensson Tanaka Walsh Weber Wójcik Yilmaz'.split(' '),
];
const mailHosts = ['example.com', 'example.org', 'example.net', 'mail.example.com'];

/** The support team. */
export const agents = ['Ruth', 'Sam', 'Joan', 'Omar', 'Lena'] as const;

/** Returns the e-mail that an agent signs in with. */
export function agentEmail(agent: string): string {
  return `${agent.toLowerCase()}@example.com`;
}

/** Makes a visitor of the website. The e-mail uses a reserved domain (RFC 2606). */
export function makeVisitor(random: Random) {
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  const mailbox = random.pick([`${firstName}.${lastName}`, `${firstName.charAt(0)}.${lastName}`]);
  // An e-mail has plain letters: without their accents.
  const plain = mailbox.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  const number = random.chance(0.4) ? String(random.integer(1, 99)) : '';
  return {
    firstName,
    name: `${firstName} ${lastName}`,
    email: `${plain}${number}@${random.pick(mailHosts)}`,
  };
}
