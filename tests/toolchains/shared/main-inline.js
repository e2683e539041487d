import "quiredb/inline/element";
import * as quiredb from "quiredb/inline";
import { tryInPage } from "./page.js";

tryInPage(quiredb);
