import type { Random } from './random.ts';

/** A visitor of the website. */
export interface Visitor {
  readonly firstName: string;
  readonly name: string;
  readonly email: string;
}

const firstNames = [
  'Aisling',
  'Amara',
  'Ana',
  'Andrzej',
  'Aoife',
  'Astrid',
  'Beatriz',
  'Björn',
  'Camille',
  'Chiara',
  'Daniel',
  'Diego',
  'Elif',
  'Emma',
  'Erik',
  'Fatima',
  'Felix',
  'Freya',
  'Gabriel',
  'Hannah',
  'Hugo',
  'Ines',
  'Ivan',
  'Jakub',
  'Jana',
  'Joanna',
  'Jonas',
  'Kaito',
  'Karim',
  'Lars',
  'Léa',
  'Liam',
  'Lucía',
  'Magda',
  'Mateo',
  'Mei',
  'Mia',
  'Milan',
  'Nadia',
  'Niamh',
  'Noah',
  'Nuno',
  'Olga',
  'Oscar',
  'Paula',
  'Priya',
  'Rachel',
  'Rafael',
  'Sara',
  'Sean',
  'Sofie',
  'Tariq',
  'Theo',
  'Tomás',
  'Ulrike',
  'Victor',
  'Wanjiru',
  'Yasmin',
  'Zoë',
  'Zuzana',
] as const;

const lastNames = [
  'Ahmed',
  'Almeida',
  'Andersen',
  'Baker',
  'Becker',
  'Bianchi',
  'Brennan',
  'Byrne',
  'Carvalho',
  'Chen',
  'Costa',
  'Dahl',
  'Demir',
  'Dubois',
  'Eriksen',
  'Evans',
  'Fernández',
  'Fischer',
  'García',
  'Gruber',
  'Haddad',
  'Hansen',
  'Horváth',
  'Hughes',
  'Ivanova',
  'Jensen',
  'Kamau',
  'Keller',
  'Kelly',
  'Kowalska',
  'Lambert',
  'Larsen',
  'Lindqvist',
  'López',
  'Martin',
  'Mori',
  'Müller',
  'Murphy',
  'Nguyen',
  'Novák',
  'O’Brien',
  'Okafor',
  'Olsen',
  'Pereira',
  'Petit',
  'Quinn',
  'Ricci',
  'Rossi',
  'Santos',
  'Sato',
  'Schmid',
  'Sharma',
  'Silva',
  'Svensson',
  'Tanaka',
  'Walsh',
  'Weber',
  'Wójcik',
  'Yilmaz',
  'Zieliński',
] as const;

const mailHosts = ['example.com', 'example.org', 'example.net', 'mail.example.com'] as const;

/** The support team. */
export const agents = ['Ruth', 'Sam', 'Joan', 'Omar', 'Lena'] as const;

/** Returns the e-mail that an agent signs in with. */
export function agentEmail(agent: string): string {
  return `${agent.toLowerCase()}@example.com`;
}

/** Makes a visitor. The e-mail uses a reserved domain (RFC 2606). */
export function makeVisitor(random: Random): Visitor {
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  const number = random.chance(0.4) ? String(random.integer(1, 99)) : '';
  const mailbox = random.pick([
    `${firstName}.${lastName}`,
    `${firstName.charAt(0)}.${lastName}`,
    `${firstName}${lastName.charAt(0)}`,
  ]);
  return {
    firstName,
    name: `${firstName} ${lastName}`,
    email: `${plain(mailbox)}${number}@${random.pick(mailHosts)}`,
  };
}

const plainLetters: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', '’': '' };

/** Returns the text in plain ASCII letters, for an e-mail address. */
function plain(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[łø’]/g, (letter) => plainLetters[letter] ?? letter);
  return letters.normalize('NFD').replaceAll(/\p{M}/gu, '');
}
